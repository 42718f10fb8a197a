-- What a site says of itself is bounded: accounts that nobody confirmed share a small day, taps keep a pace that the
-- edge can check, and one inventory writes one line of activity.
ALTER TABLE `accounts` ADD `trusted` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sites` ADD `simulated` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sites` ADD `inventory_changes` text;--> statement-breakpoint
ALTER TABLE `devices` ADD `paced_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `sites` SET `simulated` = 1 WHERE `name` = 'אתר הדגמה';--> statement-breakpoint
UPDATE `accounts` SET `trusted` = 1 WHERE `last_sent_at` IS NOT NULL
	OR `id` IN (SELECT `account` FROM `account_hours` WHERE `sent` > 0)
	OR `site` IN (SELECT `id` FROM `sites` WHERE `simulated` = 1);--> statement-breakpoint
CREATE INDEX `accounts_unconfirmed` ON `accounts` (`site`) WHERE confirmed_at IS NULL AND trusted = 0;--> statement-breakpoint
-- A tap may follow the pace of its lease, although the setting has changed since.
CREATE TABLE `past_paces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`seconds` real NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER settings_first_pace AFTER INSERT ON settings WHEN NEW.key = 'rateLimit'
BEGIN
  INSERT INTO past_paces (seconds, until) VALUES (1, NEW.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER settings_pace_changed AFTER UPDATE OF value ON settings
WHEN NEW.key = 'rateLimit' AND OLD.value <> NEW.value
BEGIN
  INSERT INTO past_paces (seconds, until) VALUES (CAST(OLD.value AS REAL), NEW.updated_at);
  DELETE FROM past_paces WHERE until < NEW.updated_at - 30 * 86400000;
END;
--> statement-breakpoint
-- A person's word and the trust of before are about the account that was in the app then.
DROP TRIGGER accounts_number_changed;
--> statement-breakpoint
CREATE TRIGGER accounts_number_changed AFTER UPDATE OF own_number ON accounts
WHEN OLD.own_number <> NEW.own_number
BEGIN
  UPDATE accounts SET confirmed_at = NULL, trusted = (SELECT simulated FROM sites WHERE id = NEW.site)
  WHERE id = NEW.id;
  INSERT INTO activity (at, kind, code, data, site, device)
  SELECT NEW.updated_at, 'warning', 'account_number_changed',
    json_object('account', coalesce(nullif(NEW.label, ''), substr(NEW.key, instr(NEW.key, '/') + 1)),
      'device', coalesce(nullif(d.model, ''), d.key), 'site', s.name), NEW.site, NEW.device
  FROM devices d JOIN sites s ON s.id = d.site WHERE d.id = NEW.device AND s.inventory_changes IS NULL;
END;
--> statement-breakpoint
-- While an inventory with several changes is written, `inventory_changes` counts them and one line tells them all.
DROP TRIGGER devices_added_activity;
--> statement-breakpoint
CREATE TRIGGER devices_added_activity AFTER INSERT ON devices
WHEN (SELECT inventory_changes FROM sites WHERE id = NEW.site) IS NULL
BEGIN
  INSERT INTO activity (at, kind, code, data, site, device) VALUES (NEW.first_seen_at, 'info', 'device_added',
    json_object('device', coalesce(nullif(NEW.model, ''), NEW.key),
      'site', (SELECT name FROM sites WHERE id = NEW.site)), NEW.site, NEW.id);
END;
--> statement-breakpoint
DROP TRIGGER devices_state_activity;
--> statement-breakpoint
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
--> statement-breakpoint
DROP TRIGGER accounts_state;
--> statement-breakpoint
CREATE TRIGGER accounts_state AFTER UPDATE OF state ON accounts
WHEN OLD.state <> NEW.state
BEGIN
  UPDATE accounts SET state_since = NEW.updated_at,
    banned_at = CASE WHEN NEW.state IN ('banned', 'restricted') AND OLD.state NOT IN ('banned', 'restricted')
      THEN NEW.updated_at ELSE banned_at END
  WHERE id = NEW.id;
  -- A phone that is out of reach says so itself.
  INSERT INTO activity (at, kind, code, data, site, device)
  SELECT NEW.updated_at,
    CASE WHEN NEW.state IN ('banned', 'restricted') THEN 'error' WHEN NEW.state = 'ok' THEN 'success' ELSE 'warning' END,
    'account_' || NEW.state,
    json_object('account', substr(NEW.key, instr(NEW.key, '/') + 1),
      'device', coalesce(nullif(d.model, ''), d.key), 'site', s.name),
    NEW.site, NEW.device
  FROM devices d JOIN sites s ON s.id = d.site
  WHERE d.id = NEW.device AND s.inventory_changes IS NULL AND 'unreachable' NOT IN (OLD.state, NEW.state);
END;
