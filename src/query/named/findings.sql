-- how far each input can be trusted: what a check found, next to the cost
select p.name, p.format, f.severity, count(f.rule) as findings, min(f.byte_offset) as first_offset
from profile p left join finding f on f.profile = p.id
group by p.id, f.severity
order by findings desc, p.id;
