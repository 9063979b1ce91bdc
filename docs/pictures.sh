#!/bin/sh
# Makes the pictures of docs/GUIDE.md and of the README again: the steps of the guide, in a terminal of 120×36, each
# picture saved by the console itself (`E`). Needs tmux and a built binary: docs/pictures.sh target/release/pithead
set -eu
binary=$(realpath "$1")
out=$(dirname "$(realpath "$0")")
. "$out/in_tmux.sh"

mux new-session -d -x 120 -y 36 "$binary"
shown "own words"
press Down Down Enter; typed "obtain a diamond"; press Tab BSpace 9 9 Enter
shown "executing"
press ']' ']' ']' ']' ']'
shown "replan r2"; shown "k1.1"; sleep 1
picture console
press i; shown "What changes"; sleep 1
picture session
press G; shown "veto with a reason"; press a
shown "ended in success"
press 3; shown "ATTEMPT"
press /; typed "label:✗"; press Enter G; shown "a18 smelt"; sleep 1
picture debug
press 2; shown "k1.1"; press Enter; shown "What it says"; press G; shown "veto with a reason"; press a
shown "k1.1 approved"
