/** Names people expect to be a program or a builtin: a function or alias of that name hides what runs. */
export const WELL_KNOWN: ReadonlySet<string> = new Set(
  (
    ': . [ alias awk aws az base64 bash brew bun bunx cargo cat cd chmod chown clear command cp curl cut ' +
    'date dd deno df diff ' +
    'dig dirname basename docker dotnet du echo env eval exec exit export false fd file find gcc gcloud gem ' +
    'gh git go gradle ' +
    'grep head helm hostname id java jq kill kubectl less ln ls make man mkdir mktemp mv mvn mysql nc node ' +
    'npm npx openssl ' +
    'perl php pip pip3 pnpm podman poetry printenv printf ps psql pwd pytest python python3 read realpath ' +
    'redis-cli rg rm ' +
    'rmdir rsync ruby scp sed seq set sh sleep sort source sqlite3 ssh stat su sudo systemctl tail tar tee ' +
    'terraform test ' +
    'time touch tr trap tree true tsc type uname uniq unset unzip uv vi vim wc wget which whoami xargs yarn zip zsh'
  ).split(' '),
)
