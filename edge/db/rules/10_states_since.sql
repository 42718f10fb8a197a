-- The age of a state, and the end of a confirmation (no invariant). A new or changed state of a phone or account writes
-- `state_since`; a changed account also writes a line in the activity list.

CREATE TRIGGER devices_first_state AFTER INSERT ON devices
BEGIN
  UPDATE devices SET state_since = NEW.first_seen_at WHERE id = NEW.id;
END;

CREATE TRIGGER devices_state AFTER UPDATE OF state ON devices
WHEN OLD.state <> NEW.state
BEGIN
  UPDATE devices SET state_since = NEW.updated_at WHERE id = NEW.id;
END;

CREATE TRIGGER accounts_first_state AFTER INSERT ON accounts
BEGIN
  UPDATE accounts SET state_since = NEW.first_seen_at,
    banned_at = CASE WHEN NEW.state IN ('banned', 'restricted') THEN NEW.first_seen_at END
  WHERE id = NEW.id;
END;

CREATE TRIGGER accounts_state AFTER UPDATE OF state ON accounts
WHEN OLD.state <> NEW.state
BEGIN
  UPDATE accounts SET state_since = NEW.updated_at,
    banned_at = CASE WHEN NEW.state IN ('banned', 'restricted') AND OLD.state NOT IN ('banned', 'restricted')
      THEN NEW.updated_at ELSE banned_at END
  WHERE id = NEW.id;
  -- A phone out of reach has its own line (11_activity.sql), so its accounts get none.
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

-- A person confirmed the account that the app held at that time. Another own number ends the confirmation.
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
