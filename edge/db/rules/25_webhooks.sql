-- What webhooks tell of (no invariant). A change that an endpoint may want to know writes a row of webhook_log in its own
-- commit. A row has ids and states; numbers and texts are read when a call is made. `hears` is the client, or 0 for
-- administrators; `lane` is the campaign or the site within which the order is kept.

-- Most changes are of clients without an endpoint: one look at a small index tells.
CREATE TRIGGER deliveries_webhook AFTER UPDATE OF state ON deliveries
WHEN OLD.state <> NEW.state AND NEW.state <> 'queued' AND NEW.state <> 'leased'
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE messages)
BEGIN
  INSERT INTO webhook_log (at, hears, type, lane, subject, data)
  SELECT NEW.updated_at, c.client, 'message.' || NEW.state, c.id, NEW.id, json_object('reason', NEW.reason)
  FROM campaigns c WHERE c.id = NEW.campaign AND c.test_of IS NULL
    AND EXISTS (SELECT 1 FROM webhook_endpoints e WHERE e.hears = c.client AND e.messages);
END;

-- A test message to oneself tells nothing.
CREATE TRIGGER campaigns_webhook AFTER UPDATE OF status ON campaigns
WHEN OLD.status <> NEW.status AND NEW.test_of IS NULL AND NEW.status <> 'draft'
  AND NOT (OLD.status = 'draft' AND NEW.status = 'ready')
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = NEW.client)
BEGIN
  INSERT INTO webhook_log (at, hears, type, lane, subject, data) VALUES (
    NEW.updated_at, NEW.client,
    'campaign.' || CASE
      WHEN NEW.status = 'ready' THEN 'taken_back'
      WHEN OLD.status = 'ready' THEN 'queued'
      WHEN NEW.status = 'paused' THEN 'paused'
      WHEN NEW.status IN ('processing', 'active') AND OLD.status = 'paused' THEN 'resumed'
      WHEN NEW.status = 'active' AND OLD.status = 'processing' THEN 'started'
      WHEN NEW.status IN ('processing', 'active') THEN 'reopened'
      WHEN NEW.status = 'completed_with_errors' THEN 'completed'
      ELSE NEW.status END,
    NEW.id, NEW.id,
    json_object('status', NEW.status, 'pausedBy', NEW.paused_by, 'counts', json_object(
      'queued', NEW.queued_count, 'leased', NEW.leased_count, 'sent', NEW.sent_count,
      'failed', NEW.failed_count, 'unknown', NEW.unknown_count, 'skipped', NEW.skipped_count,
      'cancelled', NEW.cancelled_count)));
END;

CREATE TRIGGER suppressions_webhook AFTER INSERT ON suppressions
WHEN NEW.source = 'reply' AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = NEW.client)
BEGIN
  INSERT INTO webhook_log (at, hears, type, subject) VALUES (NEW.at, NEW.client, 'opt_out.created', NEW.id);
END;

-- The client had listed the number before its owner asked.
CREATE TRIGGER suppressions_webhook_later AFTER UPDATE OF source ON suppressions
WHEN NEW.source = 'reply' AND OLD.source <> 'reply' AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = NEW.client)
BEGIN
  INSERT INTO webhook_log (at, hears, type, subject) VALUES (NEW.at, NEW.client, 'opt_out.created', NEW.id);
END;

CREATE TRIGGER replies_webhook AFTER INSERT ON replies
WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = NEW.client)
BEGIN
  INSERT INTO webhook_log (at, hears, type, lane, subject)
  VALUES (NEW.received_at, NEW.client, 'reply.received', NEW.campaign, NEW.id);
END;

CREATE TRIGGER replies_webhook_newer AFTER UPDATE OF reply ON replies
WHEN NEW.reply <> OLD.reply AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = NEW.client)
BEGIN
  INSERT INTO webhook_log (at, hears, type, lane, subject)
  VALUES (NEW.received_at, NEW.client, 'reply.received', NEW.campaign, NEW.id);
END;

-- Each endpoint chooses below how many messages it wants to know.
CREATE TRIGGER users_webhook AFTER UPDATE OF message_quota ON users
WHEN NEW.message_quota < OLD.message_quota AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = NEW.id)
BEGIN
  INSERT INTO webhook_log (at, hears, type, subject, only_for, data)
  SELECT coalesce((SELECT at FROM quota_ledger WHERE client = NEW.id ORDER BY id DESC LIMIT 1), NEW.created_at),
    NEW.id, 'quota.low', NEW.id, id, json_object('messageQuota', NEW.message_quota, 'below', quota_below)
  FROM webhook_endpoints
  WHERE hears = NEW.id AND NEW.message_quota < quota_below AND OLD.message_quota >= quota_below;
END;

-- Sites that came, went, were added, enrolled, started or revoked.
CREATE TRIGGER sites_webhook AFTER INSERT ON activity
WHEN NEW.site IS NOT NULL
  AND NEW.code IN ('site_created', 'site_enrolled', 'site_connected', 'site_lost', 'site_started', 'site_revoked')
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = 0)
BEGIN
  INSERT INTO webhook_log (at, hears, type, lane, subject)
  VALUES (NEW.at, 0, replace(NEW.code, 'site_', 'site.'), NEW.site, NEW.site);
END;

CREATE TRIGGER sites_webhook_stopped AFTER UPDATE OF stopped ON sites
WHEN NEW.stopped > OLD.stopped AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = 0)
BEGIN
  INSERT INTO webhook_log (at, hears, type, lane, subject, data)
  VALUES (coalesce(NEW.last_seen_at, NEW.created_at), 0, 'site.stopped', NEW.id, NEW.id,
    json_object('reason', NEW.stop_reason));
END;

-- A site may report other states without limit: 200 of one site in an hour are told.
CREATE TRIGGER accounts_webhook AFTER UPDATE OF state ON accounts
WHEN OLD.state <> NEW.state AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE hears = 0)
  AND (SELECT count(*) FROM (SELECT at, type, lane FROM webhook_log WHERE hears = 0 ORDER BY id DESC LIMIT 1000) line
    WHERE line.lane = NEW.site AND line.type LIKE 'account.%' AND line.at > NEW.updated_at - 3600000) < 200
BEGIN
  INSERT INTO webhook_log (at, hears, type, lane, subject, data)
  VALUES (NEW.updated_at, 0, 'account.' || NEW.state, NEW.site, NEW.id,
    json_object('siteId', NEW.site, 'deviceId', NEW.device, 'was', OLD.state));
END;

CREATE TRIGGER alerts_webhook_raised AFTER INSERT ON raised_causes
BEGIN
  INSERT INTO webhook_log (at, hears, type, data) VALUES (NEW.seen_at, 0, 'alert.raised',
    json_object('cause', NEW.cause, 'code', NEW.code, 'severity', NEW.severity, 'count', NEW.amount));
END;

CREATE TRIGGER alerts_webhook_ended AFTER DELETE ON raised_causes
BEGIN
  INSERT INTO webhook_log (at, hears, type, data) VALUES (OLD.seen_at, 0, 'alert.ended',
    json_object('cause', OLD.cause, 'code', OLD.code, 'severity', OLD.severity));
END;
