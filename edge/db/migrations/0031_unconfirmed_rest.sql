-- What accounts that nobody confirmed say of their rows is weighed by site, and pauses no campaign by itself.
-- The rows that each site's unconfirmed accounts were given; `opted_out_at` = the site told that the recipient asked to
-- be removed.
CREATE TABLE `unconfirmed_deliveries` (
	`campaign` integer NOT NULL,
	`delivery` integer NOT NULL,
	`site` integer NOT NULL,
	`account` integer,
	`opted_out_at` integer,
	PRIMARY KEY(`campaign`, `delivery`, `site`)
);
--> statement-breakpoint
-- When the counters were read; 0 = before this was kept.
ALTER TABLE `campaign_marks` ADD `at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Why its unconfirmed accounts rest: JSON of {at, signal, count, sample}; and until when a person has seen what they say.
ALTER TABLE `sites` ADD `unconfirmed_rest` text;--> statement-breakpoint
ALTER TABLE `sites` ADD `unconfirmed_seen_at` integer DEFAULT 0 NOT NULL;
