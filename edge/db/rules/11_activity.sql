-- The activity list of administrators (I8: each line is also a live event; its words are in live/browser_hub.ts).
-- Changes of campaigns, sites, devices, imports and quotas each write a line. While an inventory with several changes
-- is written, `sites.inventory_changes` counts them, and one line sums them up.

CREATE TRIGGER activity_event AFTER INSERT ON activity
BEGIN
  INSERT INTO events (at, type, for_admins, data) VALUES (NEW.at, 'activity', 1, json_object(
    'id', NEW.id, 'kind', NEW.kind, 'code', NEW.code, 'data', NEW.data, 'at', NEW.at,
    'site', NEW.site, 'device', NEW.device, 'campaign', NEW.campaign, 'user', NEW.user));
END;

-- A reset of queues writes one line for all its campaigns. Tests to oneself and carriers of messages write none.
CREATE TRIGGER campaigns_activity AFTER UPDATE OF status ON campaigns
WHEN OLD.status <> NEW.status AND NEW.test_of IS NULL AND NEW.carrier_until IS NULL
  AND NEW.status NOT IN ('draft', 'ready') AND NOT (OLD.status = 'processing' AND NEW.status = 'active')
  AND NOT (NEW.status = 'cancelled' AND NEW.paused_by IS 'queues')
BEGIN
  INSERT INTO activity (at, kind, code, data, campaign, user) VALUES (
    NEW.updated_at,
    CASE NEW.status WHEN 'completed' THEN 'success' WHEN 'failed' THEN 'error'
      WHEN 'processing' THEN 'info' WHEN 'active' THEN 'info' ELSE 'warning' END,
    CASE
      WHEN OLD.status = 'ready' THEN 'campaign_sent'
      WHEN OLD.status = 'paused' AND NEW.status IN ('processing', 'active') THEN 'campaign_resumed'
      WHEN NEW.status = 'active' THEN 'campaign_reopened'
      ELSE 'campaign_' || NEW.status END,
    json_object('campaign', NEW.name, 'client', (SELECT username FROM users WHERE id = NEW.client),
      'by', NEW.paused_by, 'waiting', NEW.queued_count + NEW.leased_count, 'sent', NEW.sent_count,
      'failed', NEW.failed_count, 'unknown', NEW.unknown_count, 'cancelled', NEW.cancelled_count),
    NEW.id, NEW.client);
END;

CREATE TRIGGER campaigns_taken_back_activity AFTER UPDATE OF status ON campaigns
WHEN NEW.status = 'ready' AND OLD.status NOT IN ('draft', 'ready') AND NEW.test_of IS NULL
BEGIN
  INSERT INTO activity (at, kind, code, data, campaign, user) VALUES (NEW.updated_at, 'warning', 'campaign_taken_back',
    json_object('campaign', NEW.name, 'client', (SELECT username FROM users WHERE id = NEW.client)),
    NEW.id, NEW.client);
END;

CREATE TRIGGER sites_added_activity AFTER INSERT ON sites
BEGIN
  INSERT INTO activity (at, kind, code, data, site)
  VALUES (NEW.created_at, 'info', 'site_created', json_object('site', NEW.name), NEW.id);
END;

CREATE TRIGGER devices_added_activity AFTER INSERT ON devices
WHEN (SELECT inventory_changes FROM sites WHERE id = NEW.site) IS NULL
BEGIN
  INSERT INTO activity (at, kind, code, data, site, device) VALUES (NEW.first_seen_at, 'info', 'device_added',
    json_object('device', coalesce(nullif(NEW.model, ''), NEW.key),
      'site', (SELECT name FROM sites WHERE id = NEW.site)), NEW.site, NEW.id);
END;

CREATE TRIGGER devices_state_activity AFTER UPDATE OF state ON devices
WHEN OLD.state <> NEW.state AND (SELECT inventory_changes FROM sites WHERE id = NEW.site) IS NULL
BEGIN
  INSERT INTO activity (at, kind, code, data, site, device) VALUES (
    NEW.updated_at, CASE NEW.state WHEN 'online' THEN 'success' WHEN 'booting' THEN 'info' ELSE 'warning' END,
    'device_' || NEW.state,
    json_object('device', coalesce(nullif(NEW.model, ''), NEW.key),
      'site', (SELECT name FROM sites WHERE id = NEW.site), 'battery', NEW.battery_percent),
    NEW.site, NEW.id);
END;

CREATE TRIGGER imports_activity AFTER UPDATE OF status ON imports
WHEN OLD.status <> NEW.status AND NEW.status IN ('completed', 'error') AND NEW.file_name <> ''
BEGIN
  INSERT INTO activity (at, kind, code, data, campaign, user) VALUES (
    NEW.updated_at, CASE NEW.status WHEN 'completed' THEN 'success' ELSE 'error' END,
    CASE NEW.status WHEN 'completed' THEN 'import_done' ELSE 'import_failed' END,
    json_object('file', NEW.file_name, 'import', NEW.id, 'added', NEW.added, 'rows', NEW.total_rows,
      'error', NEW.error, 'campaign', (SELECT name FROM campaigns WHERE id = NEW.campaign),
      'client', (SELECT u.username FROM campaigns c JOIN users u ON u.id = c.client WHERE c.id = NEW.campaign)),
    NEW.campaign, NEW.user);
END;

CREATE TRIGGER quota_ledger_activity AFTER INSERT ON quota_ledger
WHEN NEW.kind IN ('grant', 'correction')
BEGIN
  INSERT INTO activity (at, kind, code, data, user) SELECT NEW.at, 'info',
    CASE NEW.kind WHEN 'grant' THEN 'quota_loaded' ELSE 'quota_corrected' END, json_object('client', username, 'delta', NEW.delta,
      'by', (SELECT username FROM users WHERE id = NEW.actor)), id
  FROM users WHERE id = NEW.client;
END;
