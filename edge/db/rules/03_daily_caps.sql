-- I6: the cap of a day and of an hour is never exceeded.

-- Takes room of the account's day and hour when a delivery is leased. `given` is never returned: a site that gives all
-- back would be given, and so read, all that waits. A delivery that its site was given last tells that site nothing new.
CREATE TRIGGER deliveries_cap_taken AFTER UPDATE OF state ON deliveries
WHEN NEW.state = 'leased' AND OLD.state <> 'leased'
BEGIN
  INSERT INTO account_days (account, day, used, given, hour, hour_used)
  VALUES (NEW.account, NEW.leased_day, 1, OLD.site IS NOT NEW.site, NEW.leased_at / 3600000, 1)
  ON CONFLICT (account, day) DO UPDATE SET used = used + 1, given = given + excluded.given,
    hour_used = CASE hour WHEN excluded.hour THEN hour_used + 1 ELSE 1 END, hour = excluded.hour;
END;

-- Returns it, to the same day and hour, when the delivery was certainly not tapped.
-- Plain comparisons: SQLite fills a table for each IN of three or more whenever a trigger runs.
CREATE TRIGGER deliveries_cap_returned AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'leased' AND (NEW.state = 'queued' OR NEW.state = 'cancelled' OR NEW.state = 'skipped'))
  OR (OLD.state = 'unknown' AND NEW.by = 1 AND (NEW.state = 'queued' OR NEW.state = 'cancelled'))
BEGIN
  UPDATE account_days SET used = used - 1, hour_used = hour_used - (hour = OLD.leased_at / 3600000)
  WHERE account = OLD.account AND day = OLD.leased_day;
END;
