-- I6: the cap of a day and of an hour is never exceeded.

-- Takes room of the account's day and hour when a delivery is leased. `given` counts what the account was given besides:
-- a site that gives everything back would be given, and so read, all that waits. A delivery that its site was given last
-- tells that site nothing new.
CREATE TRIGGER deliveries_cap_taken AFTER UPDATE OF state ON deliveries
WHEN NEW.state = 'leased' AND OLD.state <> 'leased'
BEGIN
  INSERT INTO account_days (account, day, used, given, hour, hour_used)
  VALUES (NEW.account, NEW.leased_day, 1, NEW.is_new_to_site, NEW.leased_at / 3600000, 1)
  ON CONFLICT (account, day) DO UPDATE SET used = used + 1, given = given + excluded.given,
    hour_used = CASE hour WHEN excluded.hour THEN hour_used + 1 ELSE 1 END, hour = excluded.hour;
END;

-- Returns it, to the same day and hour, when the delivery was certainly not tapped. What a person called back, by a
-- pause, a cancellation or a removal, does not count as given: else a client who sends and cancels would use up every
-- account's day. A removal that the site itself reports, as a recipient's reply, counts.
-- Plain comparisons: SQLite fills a table for each IN of three or more whenever a trigger runs.
CREATE TRIGGER deliveries_cap_returned AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'leased' AND (NEW.state = 'queued' OR NEW.state = 'cancelled' OR NEW.state = 'skipped'))
  OR (OLD.state = 'unknown' AND NEW.by = 1 AND (NEW.state = 'queued' OR NEW.state = 'cancelled'))
BEGIN
  UPDATE account_days SET used = used - 1, hour_used = hour_used - (hour = OLD.leased_at / 3600000),
    given = given - (OLD.is_new_to_site AND CASE NEW.state WHEN 'cancelled' THEN 1
      WHEN 'skipped' THEN NOT EXISTS (SELECT 1 FROM suppressions WHERE phone = NEW.phone AND source = 'reply')
      ELSE EXISTS (SELECT 1 FROM campaigns
        WHERE id = NEW.campaign AND status <> 'processing' AND status <> 'active') END)
  WHERE account = OLD.account AND day = OLD.leased_day;
END;
