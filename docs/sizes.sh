#!/bin/sh
# Pictures of four screens at three sizes in three themes, to look at: 36 SVG files, saved by the console itself (`E`).
# Needs tmux and a built binary: docs/sizes.sh target/release/pithead DIR
set -eu
binary=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
place=$(mktemp -d)
export LANG=C.UTF-8 HOME="$place" PITHEAD_DB="$place/pithead.db" USER=ada
cd "$place"
mux() { tmux -f /dev/null -L pithead-sizes "$@"; }
trap 'mux kill-server 2>/dev/null || true; rm -rf "$place"' EXIT

# Waits until the words stand on the screen.
shown() {
    tries=0
    until mux capture-pane -p | grep -qF -- "$1"; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || { mux capture-pane -p; echo "sizes: no \`$1\`" >&2; exit 1; }
        sleep 0.1
    done
}
press() { for key in "$@"; do mux send-keys "$key"; sleep 0.3; done; }
picture() { press E; shown "saved"; sleep 0.2; mv pithead-*.svg "$out/$1.svg"; rm pithead-*.txt; press Escape; }

"$binary" run "craft an iron pickaxe" --seed 5 --mind builtin:novice --headless >/dev/null
for theme in dark light monochrome; do
    for size in 80x24 120x36 200x60; do
        mux new-session -d -x "${size%x*}" -y "${size#*x}" "$binary replay 1 --theme $theme"
        shown "playing"
        press G
        shown "success"
        picture "live-$size-$theme"
        press 3; shown "ATTEMPT"; picture "debug-$size-$theme"
        press 4; shown "TITLE"; picture "knowledge-$size-$theme"
        press 5; shown "TASK"; picture "runs-$size-$theme"
        mux kill-server
        sleep 0.2
    done
done
ls "$out" | wc -l
