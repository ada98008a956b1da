ringside --version | sed 's/[0-9]\+\.[0-9.]\+/N/'
ln -s "$(command -v ringside)" trace-cmd
./trace-cmd --version | sed 's/[0-9]\+\.[0-9.]\+/N/g'
