#!/bin/sh
# Bundles the scripts of each page into one file, and shrinks its styles, in a copy of companion/web/static:
#
#     packaging/page/bundle.sh FOLDER
#
# Without npm it changes nothing: the page also works as it is written, from more files.
set -eu

cd "$(dirname "$0")"
folder=$1
unchanged() {
    echo "The page's scripts are not bundled, for $1 is not there." >&2
    exit 0
}

esbuild=$PWD/node_modules/.bin/esbuild
if [ ! -x "$esbuild" ]; then
    command -v npm > /dev/null || unchanged npm
    npm ci --omit=dev --no-audit --no-fund --silent || unchanged esbuild
fi

# The script of each page, as its file names it.
pages=$(sed -n 's|.*<script type="module" src="/static/js/\(.*\)"></script>|\1|p' "$folder"/*.html | sort -u)
cd "$folder/js"
# shellcheck disable=SC2086  # several names
"$esbuild" $pages --bundle --minify --format=esm --target=es2022 --charset=utf8 --outbase=. --outdir=. --allow-overwrite --log-level=warning
find . -name '*.js' ! -name offline.js | while read -r file; do
    case " $(echo $pages) " in *" ${file#./} "*) ;; *) rm "$file" ;; esac
done
find . -type d -empty -delete
cd ../css
# shellcheck disable=SC2046  # several names
"$esbuild" $(find . -name '*.css') --minify --charset=utf8 --outbase=. --outdir=. --allow-overwrite --log-level=warning
