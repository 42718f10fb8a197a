-- Events come in the order of time: what is old is found by their numbers, and each is written into one tree less.
DROP INDEX `events_at`;
