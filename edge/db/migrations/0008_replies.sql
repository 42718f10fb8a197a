-- What recipients answered, where it asks to be removed or may: a decision and a short excerpt, one row a campaign and
-- number. What else people write never comes here.
CREATE TABLE `replies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`campaign` integer NOT NULL,
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`site` integer NOT NULL,
	`reply` text NOT NULL,
	`state` text NOT NULL,
	`excerpt` text NOT NULL,
	`at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `replies_once` ON `replies` (`campaign`,`phone`);--> statement-breakpoint
CREATE INDEX `replies_phone` ON `replies` (`phone`);--> statement-breakpoint
CREATE INDEX `replies_client` ON `replies` (`client`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `replies_state` ON `replies` (`state`,`id`);--> statement-breakpoint
CREATE INDEX `replies_age` ON `replies` (`received_at`);
