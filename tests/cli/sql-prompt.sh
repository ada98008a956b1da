# sql without a query on a terminal: a prompt. A program of ours is the terminal: it types when it has seen what it waits for.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
ringside sql "$DATA/openat2.dat" 'SELECT 1' 2>&1 | grep -q 'without libsqlite3' && { echo "SKIP: no libsqlite3"; exit 0; }
export PAGER=cat TERM=xterm XDG_STATE_HOME=$PWD/state
talk() { timeout 400 "$TOP/tests/tools/type" script "$@"; }

echo "== queries of several lines, tables, schema, modes, examples, help"
cat >script <<'END'
< .help tells what there is
< sql> 
> SELECT function,\n
< ...> 
>  count(*) AS n FROM calls\n
< ...> 
>  WHERE function = 'do_sys_openat2' GROUP BY 1;\n
< do_sys_openat2
< sql> 
> .tables sched\n
< sched  ts, dur, cpu, pid, comm, buffer, prio, end_state, state, end_state_name
< sql> 
> .schema functions\n
< CREATE TABLE "functions" (
< "function" text,
< );
< sql> 
> .mode csv\n
< sql> 
> SELECT 1 AS a, 'x,y' AS b;\n
< a,b
< 1,"x,y"
< sql> 
> .mode json\n
< sql> 
> SELECT 7 AS a;\n
< {"a": 7}
< sql> 
> .mode\n
< json
< sql> 
> .mode table\n
< sql> 
> .examples\n
< slowest-calls
< sql> 
> .example events-by-cpu\n
< GROUP BY file, cpu
< CPU
< sql> 
> .help\n
< .schema    TABLE
< sql> 
> .quit\n
END
talk ringside sql "$DATA/openat2.dat"

echo "== what is wrong is told, and the prompt goes on"
cat >script <<'END'
< sql> 
> SELECT nam FROM events;\n
< no such column: nam (did you mean name or num?), at line 1, column 8 of the query
< sql> 
> .table\n
< there is no .table (did you mean .tables?)
< sql> 
> .mode xml\n
< the modes are table, csv and json
< sql> 
> .schema nosuch\n
< there is no table 'nosuch'
< sql> 
> .quit now\n
< .quit takes nothing after it, and there is 'now'
< sql> 
> ATTACH '/etc/passwd' AS x;\n
< this statement is not allowed
< sql> 
> SELECT load_extension('x');\n
< ringside: sql: 
< sql> 
> SELECT fts3_tokenizer('simple');\n
< ringside: sql: 
< sql> 
> SELECT readfile('/etc/passwd');\n
< no such function: readfile
< sql> 
> PRAGMA writable_schema = 1;\n
< this statement is not allowed
< sql> 
> SELECT 'still here';\n
< still here
< sql> 
> \x04
END
talk ringside sql "$DATA/openat2.dat"

echo "== Ctrl-C ends a query, or what is being typed, and not the prompt"
cat >script <<'END'
< sql> 
> WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT 'endless', count(*) FROM c;\n
< asking, 
> \x03
< the query was interrupted
< sql> 
> SELECT 'not this\n
< ...> 
> \x03
< sql> 
> SELECT 'but ' || 'this';\n
< but this
< sql> 
> .exit\n
END
talk ringside sql "$DATA/openat2.dat"

echo "== without a terminal the queries of the standard input are run"
printf 'SELECT 1 AS a;\nSELECT\n 2 AS b;' | ringside sql --csv "$DATA/openat2.dat"
