# Who prints an event: libtraceevent's own plug-ins (their text as trace-cmd 3.1.6 shows it), with -N, -L and -n none of
# them, and another plug-in for the same event before all.
system=/usr/lib/x86_64-linux-gnu/traceevent/plugins
[ -r $system/plugin_kmem.so ] || { echo "SKIP: no plug-ins of libtraceevent in $system"; exit; }
ours=$(dirname "$(command -v ringside)")/plugins
first() { ringside report "$@" "$DATA/events.dat" | grep -m 1 -o "hrtimer_start: .*"; ringside report "$@" "$DATA/events.dat" | grep -m 1 -o "kfree: .*"; }
export RINGSIDE_PLUGIN_DIR=/nonexistent
echo "== as they are"; first
echo "== -V"; ringside report -V "$DATA/events.dat" | grep -o 'registering plugin: .*plugin_kmem'; ringside report -N -V "$DATA/events.dat" | head -2
echo "== -N"; first -N
echo "== -L"; first -L
echo "== -n timer"; first -n timer
echo "== another plug-in, asked"
RINGSIDE_PLUGIN_DIR=$ours first -O timer:decode
echo "== another plug-in, not asked"
RINGSIDE_PLUGIN_DIR=$ours first
echo "== their own, of the user, with -L"
mkdir -p "$HOME/.local/lib/traceevent/plugins"
cp $system/plugin_hrtimer.so "$HOME/.local/lib/traceevent/plugins"
first -L
rm -r "$HOME/.local"
