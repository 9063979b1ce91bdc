#!/bin/sh
# Makes the pictures of docs/GUIDE.md and of the README again: the steps of the guide, in a terminal of 120×36, each
# picture saved by the console itself (`E`). Needs tmux and a built binary: docs/pictures.sh target/release/pithead
set -eu
binary=$(realpath "$1")
docs=$(dirname "$(realpath "$0")")
place=$(mktemp -d)
export LANG=C.UTF-8 HOME="$place" PITHEAD_DB="$place/pithead.db" USER=ada
cd "$place"
mux() { tmux -L pithead-pictures "$@"; }
trap 'mux kill-server 2>/dev/null || true; rm -rf "$place"' EXIT

# Waits until the words stand on the screen.
shown() {
    tries=0
    until mux capture-pane -p | grep -qF -- "$1"; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || { mux capture-pane -p; echo "pictures: no \`$1\`" >&2; exit 1; }
        sleep 0.1
    done
}
# Presses keys; a word in quotes of its own is typed as it is.
press() { for key in "$@"; do mux send-keys "$key"; sleep 0.2; done; }
typed() { mux send-keys -l "$1"; sleep 0.2; }
picture() { press E; shown "saved"; sleep 0.2; mv pithead-*.svg "$docs/$1.svg"; rm pithead-*.txt; }

mux new-session -d -x 120 -y 36 "$binary"
shown "own words"
press Enter; typed "obtain a diamond"; press Tab BSpace 1 Enter
shown "executing"
press ']' ']' ']' ']' ']'
shown "replan r2"; shown "k1.1"; sleep 1
picture console
press i; shown "What changes"; sleep 1
picture session
press G; shown "veto with a reason"; press a
shown "ended in success"
press 3; shown "ATTEMPT"
press /; typed "label:✗"; press Enter G; shown "a14 smelt"; sleep 1
picture debug
press 2; shown "k1.1"; press Enter; shown "What it says"; press G; shown "veto with a reason"; press a
shown "k1.1 approved"
