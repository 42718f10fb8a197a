-- The names of the fields that an import brings, as a JSON array: a message may ask for one that nobody has. NULL = none.
ALTER TABLE `imports` ADD `fields` text;
--> statement-breakpoint
-- Recipients who were skipped because they lack a value that the message needs.
ALTER TABLE `campaigns` ADD `valueless_count` integer DEFAULT 0 NOT NULL;
