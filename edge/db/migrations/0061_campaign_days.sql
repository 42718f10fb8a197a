-- The most messages of the campaign on one day in Israel; NULL = as many as the phones can send.
ALTER TABLE `campaigns` ADD `day_limit` integer;--> statement-breakpoint
-- The part of it that is used, by day (yyyymmdd).
CREATE TABLE `campaign_days` (
	`campaign` integer NOT NULL,
	`day` integer NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`campaign`, `day`)
) WITHOUT ROWID;
