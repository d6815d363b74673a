#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Forwarding alone, in instructions per message, by callgrind: at most GOAL, and with 100,000 routing keys within
# SPREAD per cent of what it is with 10. Usage: forward_cost.sh [PATH-TO-forward-cost]; exit status 0: both reached.
set -eu
program=${1:-./forward-cost}
messages=${MESSAGES:-20000}
GOAL=400
SPREAD=10

command -v valgrind >/dev/null || {
	echo "forward_cost.sh: valgrind is not installed" >&2
	exit 2
}

# cost KEYS FUNCTION: instructions inside it, divided by the number of messages.
cost() {
	out=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$2" \
		"$program" "$1" "$messages" 2>&1) || {
		echo "$out" >&2
		exit 2
	}
	echo "$out" | awk -v n="$messages" '/Collected :/ { printf "%.1f\n", $NF / n; found = 1 } END { exit !found }'
}

few=$(cost 10 forward_data)
many=$(cost 100000 forward_data)
all=$(cost 10 forward_one)
awk -v few="$few" -v many="$many" -v all="$all" -v goal="$GOAL" -v spread="$SPREAD" 'BEGIN {
	percent = (many - few) / few * 100
	printf "forwarding alone, 10 routing keys:      %6.1f instructions per message (goal %d)\n", few, goal
	printf "forwarding alone, 100,000 routing keys: %6.1f instructions per message (%+.1f %%, goal within %d %%)\n",
		many, percent, spread
	printf "with the accounting of reception:     %6.1f instructions per message\n", all
	exit !(few <= goal && many <= goal && percent <= spread && percent >= -spread)
}'
