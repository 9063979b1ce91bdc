#!/bin/sh
# Pictures of four screens at three sizes in three themes, to look at: 36 SVG files, saved by the console itself (`E`).
# Needs tmux and a built binary: docs/sizes.sh target/release/pithead DIR
set -eu
binary=$(realpath "$1")
docs=$(dirname "$(realpath "$0")")
mkdir -p "$2"
out=$(realpath "$2")
. "$docs/in_tmux.sh"

"$binary" run "craft an iron pickaxe" --seed 5 --mind builtin:novice --headless >/dev/null
for theme in dark light monochrome; do
    for size in 80x24 120x36 200x60; do
        mux new-session -d -x "${size%x*}" -y "${size#*x}" "$binary replay 1 --theme $theme"
        shown "playing"
        press G
        shown "success"
        picture "live-$size-$theme"; press Escape
        press 3; shown "ATTEMPT"; picture "debug-$size-$theme"; press Escape
        press 4; shown "TITLE"; picture "knowledge-$size-$theme"; press Escape
        press 5; shown "TASK"; picture "runs-$size-$theme"; press Escape
        mux kill-server
        sleep 0.2
    done
done
ls "$out" | wc -l
