-- I7: a delivery moves only as LEGAL_MOVES of shared/delivery.ts allows. A change of `state` or `by` fires this rule,
-- which refuses every other move. `rules_test.ts` compares every combination.
-- by: 0 edge, 1 site, 2 person, 3 clock or revoked site, 4 journal lost, 5 earlier doubt, 6 journal doubted.

-- The moves from queued, failed, skipped and cancelled to `sent` and `unknown` serve a restored database: sites report
-- the outcomes that it lost (docs/protocol.md, rule 17).
CREATE TRIGGER deliveries_legal_move BEFORE UPDATE OF state, by ON deliveries
WHEN (OLD.state <> NEW.state OR OLD.by <> NEW.by) AND NOT CASE OLD.state || '>' || NEW.state
  WHEN 'queued>leased' THEN NEW.by = 0
  WHEN 'leased>sent' THEN NEW.by = 1
  WHEN 'leased>queued' THEN NEW.by = 1 OR (NEW.by = 0 AND OLD.acked_at IS NULL)
  WHEN 'leased>failed' THEN NEW.by = 1 OR (NEW.by = 0 AND OLD.acked_at IS NULL)
  WHEN 'leased>cancelled' THEN NEW.by = 1 OR (NEW.by = 0 AND OLD.acked_at IS NULL)
  WHEN 'leased>skipped' THEN NEW.by = 0 AND OLD.acked_at IS NULL
  WHEN 'leased>unknown' THEN NEW.by IN (1, 5) OR (NEW.by IN (3, 4, 6) AND OLD.acked_at IS NOT NULL)
  WHEN 'queued>cancelled' THEN NEW.by = 0
  WHEN 'queued>skipped' THEN NEW.by = 0
  WHEN 'queued>sent' THEN NEW.by = 1
  WHEN 'queued>unknown' THEN NEW.by IN (1, 5)
  WHEN 'unknown>sent' THEN NEW.by IN (1, 2)
  WHEN 'unknown>failed' THEN NEW.by = 2 OR (NEW.by = 1 AND OLD.by IN (1, 3, 4, 5))
  WHEN 'unknown>queued' THEN NEW.by = 2 OR (NEW.by = 1 AND OLD.by IN (1, 3, 4))
  WHEN 'unknown>cancelled' THEN NEW.by = 1 AND OLD.by IN (1, 3, 4)
  WHEN 'unknown>unknown' THEN (NEW.by = 1 AND OLD.by IN (3, 4)) OR (NEW.by IN (5, 6) AND OLD.by IN (1, 3, 4))
  WHEN 'sent>sent' THEN NEW.by = 1 AND OLD.by = 2
  WHEN 'sent>failed' THEN NEW.by = 1 AND OLD.by = 2
  WHEN 'sent>unknown' THEN NEW.by = 5 AND OLD.by = 2
  WHEN 'failed>sent' THEN NEW.by = 1
  WHEN 'failed>unknown' THEN NEW.by IN (1, 5) AND OLD.by IN (0, 1)
  WHEN 'skipped>sent' THEN NEW.by = 1
  WHEN 'skipped>unknown' THEN NEW.by IN (1, 5)
  WHEN 'cancelled>sent' THEN NEW.by = 1
  WHEN 'cancelled>unknown' THEN NEW.by IN (1, 5)
  ELSE 0 END
BEGIN
  SELECT RAISE(ABORT, 'illegal move of a delivery');
END;

-- I2: a sent campaign becomes ready again only when its send is taken back: it waited, none of its deliveries was ever
-- leased or reported, and it keeps neither units nor the words that were fixed at its send (edge/queue/take_back.ts).
CREATE TRIGGER campaigns_taken_back BEFORE UPDATE OF status ON campaigns
WHEN NEW.status IN ('draft', 'ready') AND OLD.status NOT IN ('draft', 'ready')
  AND (OLD.starts_at IS NULL OR OLD.first_leased_at IS NOT NULL OR OLD.leased_count > 0
    OR OLD.sent_count + OLD.unknown_count > 0
    OR NEW.reserved <> 0 OR NEW.sent_text IS NOT NULL OR NEW.sent_parts IS NOT NULL OR NEW.required_fields IS NOT NULL OR NEW.variant_count IS NOT NULL
    OR NEW.starts_at IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'illegal return of a sent campaign');
END;
