# Read by pictures.sh and sizes.sh: a console in tmux with an empty home, keys pressed in it, pictures that it saves
# itself (`E`). Wants `binary` and `out`, the folder of the pictures.
place=$(mktemp -d)
export LANG=C.UTF-8 HOME="$place" PITHEAD_DB="$place/pithead.db" USER=ada
cd "$place"
mux() { tmux -f /dev/null -L pithead-pictures "$@"; }
trap 'mux kill-server 2>/dev/null || true; rm -rf "$place"' EXIT

# Waits until the words stand on the screen.
shown() {
    tries=0
    until mux capture-pane -p | grep -qF -- "$1"; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || { mux capture-pane -p; echo "$0: no \`$1\`" >&2; exit 1; }
        sleep 0.1
    done
}
# Presses keys; a word in quotes of its own is typed as it is.
press() { for key in "$@"; do mux send-keys "$key"; sleep 0.3; done; }
typed() { mux send-keys -l "$1"; sleep 0.2; }
picture() { press E; shown "saved"; sleep 0.2; mv pithead-*.svg "$out/$1.svg"; rm pithead-*.txt; }
