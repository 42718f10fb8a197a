-- I3: a client's balance is the sum of the client's ledger entries at every commit, and never below 0. A delivery that
-- becomes or stops being failed, skipped or cancelled adds an entry; an entry changes the balance.

-- A delivery holds one unit while it is queued, leased, sent or unknown. This is a separate trigger because most moves
-- change nothing here. Rows that a cancelled campaign moves later are already refunded (01_campaign_counters.sql).
CREATE TRIGGER deliveries_money AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'failed' OR OLD.state = 'skipped' OR OLD.state = 'cancelled')
  <> (NEW.state = 'failed' OR NEW.state = 'skipped' OR NEW.state = 'cancelled') AND NOT (
  OLD.state = 'queued' AND NEW.state = 'cancelled' AND OLD.resent = 0
  AND (SELECT status FROM campaigns WHERE id = NEW.campaign) = 'cancelled'
)
BEGIN
  -- A refunded delivery turns out to be sent while the client's balance is 0: the house pays, in a `cover` entry.
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

-- `users.message_quota` has a CHECK that refuses a balance below 0.
CREATE TRIGGER quota_ledger_balance AFTER INSERT ON quota_ledger
BEGIN
  UPDATE users SET message_quota = message_quota + NEW.delta WHERE id = NEW.client;
  UPDATE quota_ledger SET balance_after = (SELECT message_quota FROM users WHERE id = NEW.client)
  WHERE id = NEW.id;
  -- DELETE and INSERT: the outer statement's conflict clause would replace an OR REPLACE written here.
  DELETE FROM events WHERE type = 'quota_changed' AND client = NEW.client;
  INSERT INTO events (at, type, client, data)
  SELECT NEW.at, 'quota_changed', id, json_object('messageQuota', message_quota) FROM users WHERE id = NEW.client;
END;

-- An entry is never deleted, and never changed in what it says.
CREATE TRIGGER quota_ledger_append_only BEFORE DELETE ON quota_ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER quota_ledger_written_once
BEFORE UPDATE OF client, at, kind, delta, campaign, delivery, actor, request_id, reason ON quota_ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
