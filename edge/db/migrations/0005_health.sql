-- Account health and lawful sending: what the claim asks before it leases, and what stops a campaign or an account.

-- The clock hour (since 1970) of the account's last lease that day, and how many it took in it.
ALTER TABLE account_days ADD COLUMN hour INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE account_days ADD COLUMN hour_used INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Days of its life that were not green, and so did not let its warm-up grow.
ALTER TABLE accounts ADD COLUMN held_days INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- The open line of breaker_trips that keeps it from sending, or null.
ALTER TABLE accounts ADD COLUMN trip INTEGER;
--> statement-breakpoint
ALTER TABLE campaigns ADD COLUMN trip INTEGER;
--> statement-breakpoint
-- Recipients of this campaign who asked to be removed.
ALTER TABLE campaigns ADD COLUMN opted_out_count INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- A pilot wave: its size and wait as chosen; while it is on, the last row that may go, and until when the rest waits.
ALTER TABLE campaigns ADD COLUMN pilot_count INTEGER;
--> statement-breakpoint
ALTER TABLE campaigns ADD COLUMN pilot_wait_ms INTEGER;
--> statement-breakpoint
ALTER TABLE campaigns ADD COLUMN pilot_last INTEGER;
--> statement-breakpoint
ALTER TABLE campaigns ADD COLUMN pilot_until INTEGER;
--> statement-breakpoint
-- Whom a client last wrote to for marketing, when, and by which campaign.
CREATE TABLE `recipients` (
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`last_marketing_at` integer NOT NULL,
	`campaign` integer NOT NULL,
	PRIMARY KEY(`client`, `phone`)
);
--> statement-breakpoint
-- Each time a breaker stopped a campaign or rested an account, on what evidence, and who let it go on.
CREATE TABLE `breaker_trips` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`campaign` integer,
	`account` integer,
	`signal` text NOT NULL,
	`count` integer NOT NULL,
	`sample` integer NOT NULL,
	`released_at` integer,
	`released_by` integer
);
--> statement-breakpoint
CREATE INDEX `breaker_trips_campaign` ON `breaker_trips` (`campaign`,`id`);--> statement-breakpoint
CREATE INDEX `breaker_trips_account` ON `breaker_trips` (`account`,`id`);--> statement-breakpoint
-- A campaign's outcomes at moments past, from which a window of its last ones is measured.
CREATE TABLE `campaign_marks` (
	`campaign` integer NOT NULL,
	`outcomes` integer NOT NULL,
	`failed` integer NOT NULL,
	`unknown` integer NOT NULL,
	`opted_out` integer NOT NULL,
	PRIMARY KEY(`campaign`, `outcomes`)
);
--> statement-breakpoint
-- Accounts lost to a ban while they held work of a campaign, since it last began or went on.
CREATE TABLE `campaign_bans` (
	`campaign` integer NOT NULL,
	`account` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`campaign`, `account`)
);
--> statement-breakpoint
-- The worst of an account's risk on each day; green = nothing of it was the account's own fault.
CREATE TABLE `account_scores` (
	`account` integer NOT NULL,
	`day` integer NOT NULL,
	`score` integer NOT NULL,
	`reason` text NOT NULL,
	`green` integer DEFAULT true NOT NULL,
	PRIMARY KEY(`account`, `day`)
);
--> statement-breakpoint
-- The room of a day and of an hour is taken when a delivery is leased ...
DROP TRIGGER deliveries_cap_taken;
--> statement-breakpoint
CREATE TRIGGER deliveries_cap_taken AFTER UPDATE OF state ON deliveries
WHEN NEW.state = 'leased' AND OLD.state <> 'leased'
BEGIN
  INSERT INTO account_days (account, day, used, hour, hour_used)
  VALUES (NEW.account, NEW.leased_day, 1, NEW.leased_at / 3600000, 1)
  ON CONFLICT (account, day) DO UPDATE SET used = used + 1,
    hour_used = CASE hour WHEN excluded.hour THEN hour_used + 1 ELSE 1 END, hour = excluded.hour;
END;
--> statement-breakpoint
-- ... and given back, to the same day and hour, when its site says it was never tapped.
DROP TRIGGER deliveries_cap_returned;
--> statement-breakpoint
CREATE TRIGGER deliveries_cap_returned AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'leased' AND NEW.state IN ('queued', 'cancelled', 'skipped'))
  OR (OLD.state = 'unknown' AND NEW.by = 1 AND NEW.state IN ('queued', 'cancelled'))
BEGIN
  UPDATE account_days SET used = used - 1, hour_used = hour_used - (hour = OLD.leased_at / 3600000)
  WHERE account = OLD.account AND day = OLD.leased_day;
END;
--> statement-breakpoint
-- Who may have been written to counts for the frequency cap until it is known that nobody was; a test to oneself
-- does not.
CREATE TRIGGER deliveries_marketing_sent AFTER UPDATE OF state ON deliveries
WHEN NEW.state IN ('sent', 'unknown') AND OLD.state NOT IN ('sent', 'unknown')
  AND (SELECT kind FROM campaigns WHERE id = NEW.campaign AND test_of IS NULL) = 'marketing'
BEGIN
  INSERT INTO recipients (client, phone, last_marketing_at, campaign)
  SELECT client, NEW.phone, NEW.updated_at, id FROM campaigns WHERE id = NEW.campaign
  ON CONFLICT (client, phone) DO UPDATE SET last_marketing_at = excluded.last_marketing_at,
    campaign = excluded.campaign;
END;
--> statement-breakpoint
-- Only this campaign could have written within the cap, so nothing older is forgotten that still counts.
CREATE TRIGGER deliveries_marketing_unsent AFTER UPDATE OF state ON deliveries
WHEN OLD.state IN ('sent', 'unknown') AND NEW.state NOT IN ('sent', 'unknown')
BEGIN
  DELETE FROM recipients WHERE phone = NEW.phone AND campaign = NEW.campaign
    AND client = (SELECT client FROM campaigns WHERE id = NEW.campaign);
END;
--> statement-breakpoint
-- While work does not move to other accounts (shared/lease.ts: PARKED), what an account left waits for its return.
CREATE TRIGGER accounts_back AFTER UPDATE OF state ON accounts
WHEN NEW.state = 'ok' AND OLD.state <> 'ok'
BEGIN
  UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND not_before = 253402300799000
    AND account = NEW.id AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;
