-- the most expensive source lines, by the first metric
select l.source, l.line, l.metric, l.self, l.total, l.hits
from line l
where l.metric = (select metric from top limit 1) and l.self > 0
order by l.self desc, l.source, l.line
limit 30;
