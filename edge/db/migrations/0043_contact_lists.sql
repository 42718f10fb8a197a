-- The people whom a client keeps, each once, with the values of their columns.
CREATE TABLE `contacts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`fields` text,
	`source` text NOT NULL,
	`run` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_phone` ON `contacts` (`client`,`phone`);
--> statement-breakpoint
CREATE TABLE `lists` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`fields` text DEFAULT '[]' NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`removed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lists_name` ON `lists` (`client`,`name_key`) WHERE removed_at IS NULL;
--> statement-breakpoint
CREATE INDEX `lists_removed` ON `lists` (`removed_at`) WHERE removed_at IS NOT NULL;
--> statement-breakpoint
-- Without a row id: one tree instead of two, in the order of the numbers.
CREATE TABLE `list_members` (
	`list` integer NOT NULL,
	`phone` integer NOT NULL,
	PRIMARY KEY(`list`, `phone`)
) WITHOUT ROWID;
--> statement-breakpoint
-- The index of values: the beginnings of a contact's values, sorted, in blocks of one import.
CREATE TABLE `contact_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `contact_runs_client` ON `contact_runs` (`client`,`id`);
--> statement-breakpoint
CREATE TABLE `contact_blocks` (
	`run` integer NOT NULL,
	`no` integer NOT NULL,
	`last` text NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`run`, `no`)
);
--> statement-breakpoint
CREATE INDEX `contact_blocks_last` ON `contact_blocks` (`run`,`last`,`no`);
--> statement-breakpoint
-- The same index for contacts who were added or changed one by one.
CREATE TABLE `contact_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`key` text NOT NULL,
	`phone` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `contact_keys_key` ON `contact_keys` (`client`,`key`,`phone`);
--> statement-breakpoint
CREATE INDEX `contact_keys_phone` ON `contact_keys` (`client`,`phone`);
--> statement-breakpoint
-- Until when a session sees a list's numbers and values unmasked.
CREATE TABLE `list_views` (
	`session` text NOT NULL,
	`list` integer NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`session`, `list`)
);
--> statement-breakpoint
-- How an import chose people from lists, as JSON without any value of theirs: lists, exceptions, amount, seed.
ALTER TABLE `imports` ADD `choice` text;
--> statement-breakpoint
-- The list for which a consent was declared.
ALTER TABLE `consent_declarations` ADD `list` integer;
