-- functions that cost most and that tests do not run in full (a profile and a coverage report)
select t.name, t.source, t.metric, t.self, round(100 * t.self_share, 2) as percent, c.lines - c.lines_hit as untested, c.lines
from top t join covered c on c.key = t.key
where t.self > 0 and c.lines_hit < c.lines
order by t.self_share * (c.lines - c.lines_hit) / c.lines desc, t.name
limit 30;
