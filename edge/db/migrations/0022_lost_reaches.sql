-- Whom the time that a restored database lost has reached, as sites told it: their clients are warned before they send to
-- the same people again. Client 0: nobody knows whose campaign it was.
CREATE TABLE `lost_reaches` (
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`site` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`client`, `phone`)
);
--> statement-breakpoint
CREATE INDEX `lost_reaches_site` ON `lost_reaches` (`site`);--> statement-breakpoint
CREATE INDEX `lost_reaches_at` ON `lost_reaches` (`at`);--> statement-breakpoint
-- Whose the campaigns were that are lost with that time, as the database of before knew it.
CREATE TABLE `lost_campaigns` (
	`id` integer PRIMARY KEY NOT NULL,
	`client` integer NOT NULL,
	`at` integer NOT NULL
);
