-- What no writer may forget: legal moves, counters, ledger, caps, the derived end, and the events they cause.
-- The pairs below are LEGAL_MOVES of shared/delivery.ts; rules_test.ts compares them.
CREATE TRIGGER deliveries_legal_move BEFORE UPDATE OF state ON deliveries
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
  'queued>leased', 'queued>skipped', 'queued>cancelled', 'queued>sent', 'queued>unknown',
  'leased>sent', 'leased>failed', 'leased>unknown', 'leased>queued', 'leased>cancelled', 'leased>skipped',
  'sent>failed', 'sent>unknown',
  'failed>sent',
  'unknown>sent', 'unknown>failed', 'unknown>queued', 'unknown>cancelled',
  'skipped>sent',
  'cancelled>sent'
)
BEGIN
  SELECT RAISE(ABORT, 'illegal move of a delivery');
END;
--> statement-breakpoint
-- Cancelling counts and refunds all queued rows at once and flips them later in chunks:
-- such a flip (queued to cancelled, never resent, campaign already cancelled) is already counted.
CREATE TRIGGER deliveries_counters AFTER UPDATE OF state ON deliveries
WHEN OLD.state <> NEW.state AND NOT (
  OLD.state = 'queued' AND NEW.state = 'cancelled' AND OLD.resent = 0
  AND (SELECT status FROM campaigns WHERE id = NEW.campaign) = 'cancelled'
)
BEGIN
  UPDATE campaigns SET
    queued_count = queued_count + (NEW.state = 'queued') - (OLD.state = 'queued'),
    leased_count = leased_count + (NEW.state = 'leased') - (OLD.state = 'leased'),
    sent_count = sent_count + (NEW.state = 'sent') - (OLD.state = 'sent'),
    failed_count = failed_count + (NEW.state = 'failed') - (OLD.state = 'failed'),
    unknown_count = unknown_count + (NEW.state = 'unknown') - (OLD.state = 'unknown'),
    skipped_count = skipped_count + (NEW.state = 'skipped') - (OLD.state = 'skipped'),
    cancelled_count = cancelled_count + (NEW.state = 'cancelled') - (OLD.state = 'cancelled'),
    last_sent_at = CASE WHEN NEW.state = 'sent' THEN NEW.updated_at ELSE last_sent_at END,
    updated_at = NEW.updated_at
  WHERE id = NEW.campaign;
END;
--> statement-breakpoint
-- Money follows the state: a row holds one unit while it is queued, leased, sent or unknown. A trigger of its own,
-- because most moves change nothing here and its statements would run for each of them.
CREATE TRIGGER deliveries_money AFTER UPDATE OF state ON deliveries
WHEN (OLD.state IN ('failed', 'skipped', 'cancelled')) <> (NEW.state IN ('failed', 'skipped', 'cancelled')) AND NOT (
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
-- The cap of a day is taken when a delivery is leased ...
CREATE TRIGGER deliveries_cap_taken AFTER UPDATE OF state ON deliveries
WHEN NEW.state = 'leased' AND OLD.state <> 'leased'
BEGIN
  INSERT INTO account_days (account, day, used) VALUES (NEW.account, NEW.leased_day, 1)
  ON CONFLICT (account, day) DO UPDATE SET used = used + 1;
END;
--> statement-breakpoint
-- ... and given back, to the same day, when its site says it was never tapped.
CREATE TRIGGER deliveries_cap_returned AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'leased' AND NEW.state IN ('queued', 'cancelled', 'skipped'))
  OR (OLD.state = 'unknown' AND NEW.by = 1 AND NEW.state IN ('queued', 'cancelled'))
BEGIN
  UPDATE account_days SET used = used - 1 WHERE account = OLD.account AND day = OLD.leased_day;
END;
--> statement-breakpoint
-- The end is derived: nothing queued, nothing leased. A resend opens it again; later truth recomputes it.
CREATE TRIGGER campaigns_derived_end AFTER UPDATE OF
  queued_count, leased_count, sent_count, failed_count, unknown_count, skipped_count, cancelled_count ON campaigns
WHEN NEW.status IN ('processing', 'active', 'paused', 'completed', 'completed_with_errors', 'failed')
  AND NEW.status <> CASE
    WHEN NEW.queued_count + NEW.leased_count > 0 THEN
      CASE WHEN NEW.status IN ('completed', 'completed_with_errors', 'failed') THEN 'active' ELSE NEW.status END
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
CREATE TRIGGER campaigns_status_event AFTER UPDATE OF status ON campaigns
WHEN OLD.status <> NEW.status
BEGIN
  INSERT INTO events (at, type, client, campaign, data) VALUES (
    NEW.updated_at,
    CASE
      WHEN OLD.status = 'processing' AND NEW.status = 'active' THEN 'campaign_started'
      WHEN NEW.status = 'completed' THEN 'campaign_completed'
      WHEN NEW.status IN ('completed_with_errors', 'failed', 'cancelled') THEN 'campaign_ended'
      WHEN NEW.status = 'paused' THEN 'campaign_paused'
      ELSE 'campaign_changed' END,
    NEW.client, NEW.id,
    json_object(
      'campaignId', NEW.id, 'name', NEW.name, 'status', NEW.status,
      'totalContacts', NEW.queued_count + NEW.leased_count + NEW.sent_count + NEW.failed_count
        + NEW.unknown_count + NEW.skipped_count + NEW.cancelled_count,
      'sentCount', NEW.sent_count, 'completedAt', NEW.completed_at,
      'counts', json_object(
        'queued', NEW.queued_count, 'leased', NEW.leased_count, 'sent', NEW.sent_count,
        'failed', NEW.failed_count, 'unknown', NEW.unknown_count, 'skipped', NEW.skipped_count,
        'cancelled', NEW.cancelled_count)));
END;
--> statement-breakpoint
CREATE TRIGGER events_change_no AFTER INSERT ON events
WHEN NEW.client IS NOT NULL
BEGIN
  UPDATE users SET change_no = NEW.id WHERE id = NEW.client;
END;
--> statement-breakpoint
-- The balance is the sum of the entries, at every commit; users.message_quota refuses to fall below 0.
CREATE TRIGGER quota_ledger_balance AFTER INSERT ON quota_ledger
BEGIN
  UPDATE users SET message_quota = message_quota + NEW.delta WHERE id = NEW.client;
  UPDATE quota_ledger SET balance_after = (SELECT message_quota FROM users WHERE id = NEW.client)
  WHERE id = NEW.id;
  -- DELETE then INSERT: an OR REPLACE here would be overruled by the outer statement's own conflict clause.
  DELETE FROM events WHERE type = 'quota_changed' AND client = NEW.client;
  INSERT INTO events (at, type, client, data)
  SELECT NEW.at, 'quota_changed', id, json_object('messageQuota', message_quota) FROM users WHERE id = NEW.client;
END;
--> statement-breakpoint
CREATE TRIGGER quota_ledger_append_only BEFORE DELETE ON quota_ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER quota_ledger_written_once BEFORE UPDATE OF client, at, kind, delta, campaign, delivery ON quota_ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
