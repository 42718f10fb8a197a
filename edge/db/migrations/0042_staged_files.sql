-- The values of a recipient's columns, as JSON; NULL = none. Forgotten with the number.
ALTER TABLE `deliveries` ADD `fields` text;
--> statement-breakpoint
-- Files that a person looks at before taking them in: as text, bound to the person, for an hour.
CREATE TABLE `staged_files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user` integer NOT NULL,
	`file_name` text NOT NULL,
	`kind` text NOT NULL,
	`sheets` text NOT NULL,
	`sheet` integer,
	`notes` text NOT NULL,
	`headings_key` text,
	`bytes` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `staged_files_user` ON `staged_files` (`user`,`id`);
--> statement-breakpoint
CREATE TABLE `staged_chunks` (
	`staged` integer NOT NULL,
	`no` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`staged`, `no`)
);
--> statement-breakpoint
-- What a person chose for the columns of files with the same headings.
CREATE TABLE `column_choices` (
	`user` integer NOT NULL,
	`headings_key` text NOT NULL,
	`choice` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user`, `headings_key`)
);
