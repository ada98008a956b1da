# shellcheck shell=bash
# Two ClickHouse servers of Debian as a cluster "two" of two shards: 127.0.0.1:8123 and :8124. Sourced; $tmp is a folder for what they keep, and $server
# is their program. The network is one of our own (`within`), so that these ports are free.
: "${tmp:?}"

# Prints why there can be no servers, or nothing. Then $server is their program. Its package would start a service, so it is only unpacked into $tmp; the
# libraries that it needs come with clickhouse-client.
prepare_servers() {
	local program
	for program in curl ip clickhouse-client; do
		command -v $program >/dev/null || { echo "no $program"; return; }
	done
	unshare -n true 2>/dev/null || { echo "no network namespaces"; return; }
	server=$(command -v clickhouse-server) && return
	server=$tmp/package/usr/sbin/clickhouse-server
	(mkdir "$tmp/package" && cd "$tmp/package" && apt-get download -qq clickhouse-server >/dev/null 2>&1 && dpkg-deb -x clickhouse-server_*.deb .) ||
		echo "no clickhouse-server"
}

# Runs a command in a network in which only the loopback is.
within() { unshare -n sh -c 'ip link set lo up && exec "$@"' - "$@"; }

# Writes what server 1 or 2 is told.
configure() { # configure N
	local home=$tmp/server$1 shard shards=''
	mkdir -p "$home/data" "$home/tmp" "$home/formats"
	for shard in 1 2; do
		shards+="<shard><replica><host>127.0.0.1</host><port>900$shard</port></replica></shard>"
	done
	cat >"$home/config.xml" <<-XML
	<yandex>
		<logger><level>warning</level><log>$home/log</log><errorlog>$home/errors</errorlog><size>10M</size><count>1</count></logger>
		<http_port>812$((2 + $1))</http_port><tcp_port>900$1</tcp_port><interserver_http_port>901$1</interserver_http_port>
		<listen_host>127.0.0.1</listen_host>
		<path>$home/data/</path><tmp_path>$home/tmp/</tmp_path><format_schema_path>$home/formats/</format_schema_path>
		<users_config>$home/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
		<mark_cache_size>100000000</mark_cache_size>
		<remote_servers><two>$shards</two></remote_servers>
		<macros><shard>$1</shard><replica>r$1</replica></macros>
	</yandex>
	XML
	cat >"$home/users.xml" <<-'XML'
	<yandex>
		<profiles><default><max_memory_usage>2000000000</max_memory_usage></default></profiles>
		<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
		<quotas><default/></quotas>
	</yandex>
	XML
}

declare -A servers
ask() { curl -sS --max-time 60 "http://127.0.0.1:812$((2 + $1))/" --data-binary "$2"; } # ask N QUERY
answers() { [ "$(ask "$1" 'SELECT 1' 2>/dev/null)" = 1 ]; }

# wait_for SECONDS COMMAND...: until it holds.
wait_for() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.05
	done
}

start_server() { # start_server N
	"$server" --config-file="$tmp/server$1/config.xml" >"$tmp/server$1/said" 2>&1 </dev/null &
	servers[$1]=$!
	wait_for 120 answers "$1" || { tail -n 5 "$tmp/server$1/said" "$tmp/server$1/errors"; return 1; }
}

kill_server() { # kill_server N: at once, as when its machine fails
	kill -9 "${servers[$1]}" && wait "${servers[$1]}" 2>/dev/null
	true
}

stop_servers() {
	local n
	for n in "${!servers[@]}"; do
		kill_server "$n" 2>/dev/null
	done
}

# How many rows a server has, in the tables that are not views of others.
stored_rows() { ask "$1" "SELECT sum(rows) FROM system.parts WHERE active AND database = 'fleet' FORMAT TSV" 2>/dev/null || echo 0; }
