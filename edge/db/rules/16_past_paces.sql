-- I6: a tap may keep the pace of its lease although the setting has changed since. A change of the setting `rateLimit`
-- writes the old value in `past_paces`, where it is kept for 30 days.

-- The first value replaces the default of 1 second.
CREATE TRIGGER settings_first_pace AFTER INSERT ON settings WHEN NEW.key = 'rateLimit'
BEGIN
  INSERT INTO past_paces (seconds, until) VALUES (1, NEW.updated_at);
END;

CREATE TRIGGER settings_pace_changed AFTER UPDATE OF value ON settings
WHEN NEW.key = 'rateLimit' AND OLD.value <> NEW.value
BEGIN
  INSERT INTO past_paces (seconds, until) VALUES (CAST(OLD.value AS REAL), NEW.updated_at);
  DELETE FROM past_paces WHERE until < NEW.updated_at - 30 * 86400000;
END;
