# The data of the picture's script is JSON.
"$ASSAY" timeline "$FIXTURES/app.m" --svg >picture.svg
sed -n '/<script type="application.json"/,/<.script>/p' picture.svg | sed 's/<script[^>]*>//; s/<.script>.*//' | python3 -c '
import html, json, sys
data = json.loads(html.unescape(sys.stdin.read()))
print(sorted(data), all(isinstance(f, list) for f in data["functions"]) if "functions" in data else "")'
