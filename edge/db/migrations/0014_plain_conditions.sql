-- The same rules as before, said so that they cost less. A list of three or more after IN is a table that SQLite fills
-- anew whenever a trigger runs: four conditions that hold for almost no move took a fifth of a delivery's whole time.
DROP TRIGGER deliveries_money;
--> statement-breakpoint
-- Money follows the state: a row holds one unit while it is queued, leased, sent or unknown. A trigger of its own,
-- because most moves change nothing here and its statements would run for each of them.
CREATE TRIGGER deliveries_money AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'failed' OR OLD.state = 'skipped' OR OLD.state = 'cancelled')
  <> (NEW.state = 'failed' OR NEW.state = 'skipped' OR NEW.state = 'cancelled') AND NOT (
  OLD.state = 'queued' AND NEW.state = 'cancelled' AND OLD.resent = 0
  AND (SELECT status FROM campaigns WHERE id = NEW.campaign) = 'cancelled'
)
BEGIN
  -- Late truth for a client whose balance is 0: the house pays, and it is seen.
  INSERT INTO quota_ledger (client, at, kind, delta, campaign, delivery)
  SELECT c.client, NEW.updated_at, 'cover', 1, NEW.campaign, NEW.id
  FROM campaigns c JOIN users u ON u.id = c.client
  WHERE c.id = NEW.campaign AND u.message_quota = 0 AND c.status NOT IN ('draft', 'ready')
    AND OLD.state IN ('failed', 'skipped', 'cancelled');
  INSERT INTO quota_ledger (client, at, kind, delta, campaign, delivery)
  SELECT c.client, NEW.updated_at,
    CASE WHEN NEW.state IN ('failed', 'skipped', 'cancelled') THEN 'refund' ELSE 'charge' END,
    CASE WHEN NEW.state IN ('failed', 'skipped', 'cancelled') THEN 1 ELSE -1 END,
    NEW.campaign, NEW.id
  FROM campaigns c
  WHERE c.id = NEW.campaign AND c.status NOT IN ('draft', 'ready');
END;
--> statement-breakpoint
DROP TRIGGER deliveries_outcome_counted;
--> statement-breakpoint
-- Outcomes by hour, as sites tell them (by = 1): what a person or a clock decides is no sign of an account's health.
-- When the account last sent goes with them: a report that tells the same again is no new sending.
CREATE TRIGGER deliveries_outcome_counted AFTER UPDATE OF state ON deliveries
WHEN NEW.by = 1 AND (OLD.state = 'leased' OR OLD.state = 'unknown')
  AND (NEW.state = 'sent' OR NEW.state = 'failed' OR NEW.state = 'unknown')
  AND OLD.state <> NEW.state AND NEW.account IS NOT NULL
BEGIN
  INSERT INTO account_hours (hour, account, sent, failed, absent, unknown) VALUES (
    NEW.updated_at / 3600000, NEW.account, NEW.state = 'sent', NEW.state = 'failed',
    NEW.state = 'failed' AND NEW.reason IS 'not_on_app', NEW.state = 'unknown')
  ON CONFLICT (hour, account) DO UPDATE SET sent = sent + excluded.sent, failed = failed + excluded.failed,
    absent = absent + excluded.absent, unknown = unknown + excluded.unknown;
  -- An index over all deliveries would cost each of them more than this.
  UPDATE accounts SET recent = substr(NEW.id || ' ' || recent, 1, 300),
    last_sent_at = CASE WHEN NEW.state = 'sent' THEN NEW.updated_at ELSE last_sent_at END
  WHERE id = NEW.account;
END;
--> statement-breakpoint
DROP TRIGGER deliveries_cap_returned;
--> statement-breakpoint
-- The cap is given back, to the same day and hour, when its site says it was never tapped.
CREATE TRIGGER deliveries_cap_returned AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'leased' AND (NEW.state = 'queued' OR NEW.state = 'cancelled' OR NEW.state = 'skipped'))
  OR (OLD.state = 'unknown' AND NEW.by = 1 AND (NEW.state = 'queued' OR NEW.state = 'cancelled'))
BEGIN
  UPDATE account_days SET used = used - 1, hour_used = hour_used - (hour = OLD.leased_at / 3600000)
  WHERE account = OLD.account AND day = OLD.leased_day;
END;
--> statement-breakpoint
DROP TRIGGER campaigns_derived_end;
--> statement-breakpoint
-- The end is derived: nothing queued, nothing leased. A resend opens it again; later truth recomputes it.
CREATE TRIGGER campaigns_derived_end AFTER UPDATE OF
  queued_count, leased_count, sent_count, failed_count, unknown_count, skipped_count, cancelled_count ON campaigns
WHEN (NEW.status = 'active' OR NEW.status = 'processing' OR NEW.status = 'paused'
    OR NEW.status = 'completed' OR NEW.status = 'completed_with_errors' OR NEW.status = 'failed')
  AND NEW.status <> CASE
    WHEN NEW.queued_count + NEW.leased_count > 0 THEN
      CASE WHEN NEW.status = 'completed' OR NEW.status = 'completed_with_errors' OR NEW.status = 'failed'
        THEN 'active' ELSE NEW.status END
    WHEN NEW.sent_count > 0
      AND NEW.failed_count + NEW.unknown_count + NEW.skipped_count + NEW.cancelled_count = 0 THEN 'completed'
    WHEN NEW.sent_count + NEW.unknown_count > 0 THEN 'completed_with_errors'
    ELSE 'failed' END
BEGIN
  UPDATE campaigns SET
    status = CASE
      WHEN queued_count + leased_count > 0 THEN 'active'
      WHEN sent_count > 0 AND failed_count + unknown_count + skipped_count + cancelled_count = 0 THEN 'completed'
      WHEN sent_count + unknown_count > 0 THEN 'completed_with_errors'
      ELSE 'failed' END,
    completed_at = CASE WHEN queued_count + leased_count > 0 THEN NULL ELSE coalesce(completed_at, updated_at) END,
    paused_by = NULL
  WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Only what was offered and not yet confirmed runs out.
DROP INDEX `deliveries_lease_until`;
--> statement-breakpoint
CREATE INDEX `deliveries_lease_until` ON `deliveries` (`lease_until`)
  WHERE state = 'leased' AND lease_until IS NOT NULL;
--> statement-breakpoint
-- Every index ends with the row's id by itself; named once more it was kept twice.
DROP INDEX `deliveries_queue`;
--> statement-breakpoint
CREATE INDEX `deliveries_queue` ON `deliveries` (`campaign`,`not_before`) WHERE state = 'queued';
--> statement-breakpoint
DROP INDEX `deliveries_state`;
--> statement-breakpoint
CREATE INDEX `deliveries_state` ON `deliveries` (`campaign`,`state`) WHERE state <> 'queued';
