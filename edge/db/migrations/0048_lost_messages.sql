-- Messages of campaigns that a restored database does not have, as sites reported them: a reply to one finds whom it
-- asks to stop. Client 0: nobody knows whose campaign it was.
CREATE TABLE `lost_messages` (
	`phone` integer NOT NULL,
	`campaign` integer NOT NULL,
	`site` integer NOT NULL,
	`client` integer NOT NULL,
	`account` integer,
	`is_sent` integer NOT NULL,
	`tapped_at` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`phone`, `campaign`, `site`)
);
--> statement-breakpoint
CREATE INDEX `lost_messages_site` ON `lost_messages` (`site`);--> statement-breakpoint
CREATE INDEX `lost_messages_at` ON `lost_messages` (`at`);
