-- I4: every `unknown` has a cause that can be read later. A move by the clock, a person or the edge (`by` other than 1)
-- adds a row to `attempts`.

-- Moves by the site are left out because its report writes them. A delivery without a token was never leased, and its
-- own row shows everything. `outcome` is the new state; `leased_at` and `acked_at` belong to the attempt that ends.
CREATE TRIGGER deliveries_history AFTER UPDATE OF state, by ON deliveries
WHEN NEW.by <> 1 AND NEW.state <> 'leased' AND (OLD.state <> NEW.state OR OLD.by <> NEW.by) AND OLD.token IS NOT NULL
BEGIN
  INSERT INTO attempts (campaign, phone, attempt, token, site, account, by, outcome, reason, leased_at, acked_at, at)
  VALUES (NEW.campaign, NEW.phone, NEW.attempt, NEW.token, NEW.site, NEW.account, NEW.by, NEW.state, NEW.reason,
    NEW.leased_at, NEW.acked_at, NEW.updated_at);
END;
