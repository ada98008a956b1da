#!/usr/bin/perl
# The times from one event to another of the lines of a recording (`export --to jsonl` on standard input), beside those that the kernel measured:
#	together.pl FILE LEAST FROM KEY VALUE TO KEY
# FILE is what `latency --json` wrote. KEY is a field of the event, or fields.FIELD where the line itself has that name; its VALUE is the same in both events.
# There must be LEAST times or more. The recording began earlier and ended later than the measurement, so that it may have a time more at each end.
# The host may stop the emulator between the two clocks at an event. But the kernel calls who came later to a tracepoint later: the measurement's clock is between
# the recorded event and the next one of its CPU. So the longest time is no longer than from an event FROM to what follows the event TO on its CPU.
use strict;
use warnings;
use JSON::PP;

my ($file, $least, $from, $from_key, $value, $to, $to_key) = @ARGV;
my ($began, @took, %ended);
my $longest = 0;
s/^fields\.// for $from_key, $to_key;
while (<STDIN>) {
	my $e = decode_json($_);
	my ($cpu, $ts) = @$e{qw(cpu ts)};
	my $first = delete $ended{$cpu};
	$longest = $ts - $first if defined $first && $ts - $first > $longest;
	if ($e->{event} eq $from && $e->{fields}{$from_key} == $value) {
		$began = $ts;
	} elsif ($e->{event} eq $to && defined $began && $e->{fields}{$to_key} == $value) {
		push @took, $ts - $began;
		$ended{$cpu} = $began;
		undef $began;
	}
}
open my $in, '<', $file or die "$file: $!";
local $/;
my $ours = decode_json(<$in>)->{summary}[0];
@took = sort { $a <=> $b } @took;
my ($n, $sum) = (scalar @took, 0);
$sum += $_ for @took;
die "no times\n" unless $n;
my ($median, $spare) = ($took[($n - 1) / 2], $n > $ours->{count} ? $took[-1] : 0);
printf "recorded: %d times, sum %d, least %d, median %d, most %d\n", $n, $sum, $took[0], $median, $took[-1];
printf "the longest is at most %d\n", $longest;
printf "measured: %d times, sum %d, least %d, median %d, most %d\n", @$ours{qw(count sum min p50 max)};
# What lies between the clocks: 20 us for each of two events, emulated; the median is 1 % off at the most.
my $off = 40_000;
exit !($ours->{count} >= $least && abs($ours->{count} - $n) <= 2 && abs($ours->{sum} - $sum) <= $off * $n + 2 * $spare && abs($ours->{min} - $took[0]) <= $off &&
	abs($ours->{p50} - $median) <= $off + $median / 100 && $ours->{max} <= $longest);
