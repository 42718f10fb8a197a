-- Further texts of a campaign, from 2 on; the first is its message. No rowid: a copy reads last_insert_rowid() after them.
CREATE TABLE `variants` (
	`campaign` integer NOT NULL,
	`no` integer NOT NULL,
	`message` text NOT NULL,
	PRIMARY KEY(`campaign`, `no`)
) WITHOUT ROWID;
--> statement-breakpoint
-- All texts of a sent campaign that has several, fixed at its send, with what came of each.
CREATE TABLE `sent_variants` (
	`campaign` integer NOT NULL,
	`no` integer NOT NULL,
	`text` text NOT NULL,
	`parts` text NOT NULL,
	`required_fields` text,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`unknown` integer DEFAULT 0 NOT NULL,
	`removals` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`campaign`, `no`)
) WITHOUT ROWID;
--> statement-breakpoint
-- How many texts it has, fixed at send; NULL = one.
ALTER TABLE `campaigns` ADD `variant_count` integer;
--> statement-breakpoint
-- By it and by its id each row gets a text at random.
ALTER TABLE `campaigns` ADD `variant_seed` integer;
--> statement-breakpoint
-- The text that a person chose for the rest.
ALTER TABLE `campaigns` ADD `winner` integer;
--> statement-breakpoint
-- The text that the recipient gets, set at the first claim.
ALTER TABLE `deliveries` ADD `variant` integer;
