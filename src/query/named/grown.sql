-- functions that cost more than 5 % more than before (two inputs or more), new ones included
select before, profile, metric, name, state, self_before, self, self_change
from diff
where self > 1.05 * self_before
order by self_change desc, name
limit 30;
