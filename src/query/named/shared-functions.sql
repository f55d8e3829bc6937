-- what functions cost in each input that has them (two inputs or more)
select t.name, t.metric, count(*) as inputs, min(t.self_share) as least, max(t.self_share) as most
from top t
where t.self > 0
group by t.key, t.metric
having count(*) > 1
order by most - least desc, t.name
limit 30;
