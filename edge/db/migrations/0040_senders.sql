-- The account from which a client last wrote to a number. It has rowids, because an erasure pages through every table with
-- a number by them.
CREATE TABLE `senders` (
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`account` integer NOT NULL,
	`campaign` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`client`, `phone`)
);
--> statement-breakpoint
-- The account that a queued row is left for, until not_before.
ALTER TABLE `deliveries` ADD `awaits` integer;
--> statement-breakpoint
CREATE INDEX `deliveries_awaits` ON `deliveries` (`campaign`,`awaits`,`not_before`) WHERE awaits IS NOT NULL;
--> statement-breakpoint
INSERT INTO senders (client, phone, account, campaign, at)
	SELECT c.client, d.phone, d.account, d.campaign, d.updated_at
	FROM campaigns c JOIN deliveries d ON d.campaign = c.id AND d.state <> 'queued' AND d.state = 'sent'
	WHERE c.test_of IS NULL AND d.account IS NOT NULL AND d.phone > 0
	ON CONFLICT (client, phone) DO UPDATE SET account = excluded.account, campaign = excluded.campaign, at = excluded.at
	WHERE excluded.at >= senders.at;
