/** Options a program takes before its verb. An option in neither list makes the verb unknown. */
export interface GlobalOptions {
  /** Options that take a value in the next word. */
  readonly valued: ReadonlySet<string>
  /** Options that take none. */
  readonly flags: ReadonlySet<string>
}

const options = (valued: string, flags: string): GlobalOptions => ({
  valued: new Set(valued.split(' ').filter((name) => name !== '')),
  flags: new Set([...flags.split(' ').filter((name) => name !== ''), '-h', '--help', '--version']),
})

const NODE_PACKAGES = options(
  '--prefix -C --dir --cwd -w --workspace --filter -F --userconfig --globalconfig --registry --loglevel ' +
    '--cache --use-yarnrc --modules-folder',
  '-g --global -s --silent -q --quiet -d -dd -ddd --verbose -y --yes -r --recursive -ws --workspaces ' +
    '--json --no-workspaces --offline --no-color -v --foreground-scripts --ignore-scripts --if-present ' +
    '--parallel --stream',
)

/** What stands between a program's name and its verb. */
export const GLOBAL_OPTIONS: ReadonlyMap<string, GlobalOptions> = new Map([
  [
    'git',
    options(
      '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --list-cmds',
      '-p --paginate -P --no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs ' +
        '--noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice --html-path ' +
        '--man-path --info-path --exec-path -v',
    ),
  ],
  [
    'kubectl',
    options(
      '-n --namespace --context --cluster --kubeconfig -s --server --user --token --as --as-group --as-uid ' +
        '--certificate-authority --client-key --client-certificate --request-timeout --cache-dir ' +
        '--tls-server-name --profile --profile-output --password --username -v --v --vmodule',
      '--insecure-skip-tls-verify --match-server-version --warnings-as-errors --disable-compression',
    ),
  ],
  [
    'docker',
    options(
      '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --url --connection --root ' +
        '--runroot --storage-driver',
      '-D --debug --tls --tlsverify -v -r --remote',
    ),
  ],
  [
    'compose',
    options(
      '-f --file -p --project-name --project-directory --profile --env-file --parallel --ansi --progress',
      '--compatibility --all-resources --dry-run --verbose -v',
    ),
  ],
  ['terraform', options('', '')],
  ['countersign', options('--home', '--json --no-input --no-color -q --quiet -v --verbose')],
  [
    'aws',
    options(
      '--profile --region --output --endpoint-url --query --cli-read-timeout --cli-connect-timeout --ca-bundle ' +
        '--color --cli-binary-format',
      '--debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager --cli-auto-prompt --no-cli-auto-prompt',
    ),
  ],
  [
    'gcloud',
    options(
      '--project --account --configuration --format --verbosity --impersonate-service-account ' +
        '--billing-project --access-token-file --flags-file --flatten --trace-token',
      '-q --quiet --log-http --no-log-http --user-output-enabled --no-user-output-enabled',
    ),
  ],
  ['az', options('--subscription -o --output --query', '--debug --verbose --only-show-errors')],
  ['gh', options('-R --repo --hostname', '')],
  [
    'helm',
    options(
      '-n --namespace --kube-context --kubeconfig --kube-token --kube-apiserver --kube-as-user --kube-as-group ' +
        '--kube-ca-file --registry-config --repository-cache --repository-config --burst-limit --qps',
      '--debug --kube-insecure-skip-tls-verify',
    ),
  ],
  ['npm', NODE_PACKAGES],
  ['pnpm', NODE_PACKAGES],
  ['yarn', NODE_PACKAGES],
  ['bun', NODE_PACKAGES],
  [
    'cargo',
    options(
      '--color --config -C -Z --manifest-path --explain',
      '-v -vv --verbose -q --quiet --locked --offline --frozen --list -V',
    ),
  ],
  ['tmux', options('-L -S -f -c -T', '-2 -C -CC -u -v -l -D -N')],
  ['rustup', options('', '-v --verbose -q --quiet')],
  ['go', options('-C', '')],
  [
    'systemctl',
    options(
      '-H --host -M --machine -t --type -p --property -P -s --signal -n --lines -o --output --state --root ' +
        '--image --job-mode --what --kill-whom',
      '--user --system -a --all -q --quiet -l --full --no-pager --no-legend --no-block --no-ask-password --now ' +
        '-f --force --failed --runtime -r --recursive --global --plain --wait',
    ),
  ],
  [
    'apt',
    options(
      '-o --option -c --config-file -t --target-release -a --host-architecture',
      '-y --yes --assume-yes -q -qq --quiet -s --simulate --dry-run -f -d -m -u -V --no-install-recommends ' +
        '--purge --fix-broken',
    ),
  ],
  [
    'apt-get',
    options(
      '-o --option -c --config-file -t --target-release -a --host-architecture',
      '-y --yes --assume-yes -q -qq --quiet -s --simulate --dry-run -f -d -m -u -V --no-install-recommends ' +
        '--purge --fix-broken',
    ),
  ],
  [
    'dnf',
    options(
      '-c --config --enablerepo --disablerepo --repo --repoid -x --exclude --releasever --installroot -d ' +
        '--debuglevel -e',
      '-y --assumeyes --assumeno -q --quiet -v --refresh -C --cacheonly --best --nobest --nogpgcheck',
    ),
  ],
  ['brew', options('', '-v --verbose -q --quiet -d --debug')],
  [
    'pip',
    options(
      '--python --log --proxy --timeout --retries --cache-dir --cert --client-cert --trusted-host ' +
        '--exists-action --keyring-provider',
      '-v -vv --verbose -q --quiet --isolated --require-virtualenv --no-input --no-cache-dir ' +
        '--disable-pip-version-check --no-color --debug -V',
    ),
  ],
  [
    'uv',
    options(
      '--directory --project --cache-dir --config-file --color --allow-insecure-host',
      '-q --quiet -v --verbose --offline --no-cache -n --no-progress --no-config --native-tls -V',
    ),
  ],
  [
    'poetry',
    options(
      '-C --directory -P --project',
      '-q --quiet -v -vv -vvv --verbose -n --no-interaction --no-plugins --no-cache --ansi --no-ansi -V',
    ),
  ],
  [
    'svn',
    options('--username --password --config-dir --config-option', '--non-interactive --no-auth-cache -q --quiet -v'),
  ],
  [
    'hg',
    options(
      '-R --repository --cwd --config --encoding --color --pager',
      '-y --noninteractive -q --quiet -v --verbose --debug',
    ),
  ],
])

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const NODE_GROUPS = words(
  'run run-script exec x dlx config cache dist-tag access org owner pkg profile team token workspace',
)

/** Verbs that only name a group of others, so that the word behind them says what is done; `every` where all of them do. */
export const VERB_GROUPS: ReadonlyMap<string, ReadonlySet<string> | 'every'> = new Map<
  string,
  ReadonlySet<string> | 'every'
>([
  ['aws', 'every'],
  ['gcloud', 'every'],
  ['az', 'every'],
  ['gh', 'every'],
  [
    'git',
    words('remote stash config worktree submodule bisect notes reflog lfs flow sparse-checkout bundle maintenance'),
  ],
  ['kubectl', words('config rollout create set top auth certificate alpha plugin kustomize')],
  [
    'docker',
    words(
      'compose container image volume network system builder buildx context config manifest plugin secret service stack ' +
        'swarm trust node machine pod',
    ),
  ],
  ['compose', words('alpha')],
  ['helm', words('repo plugin registry dependency get show search')],
  ['terraform', words('workspace state providers metadata')],
  ['npm', NODE_GROUPS],
  ['pnpm', NODE_GROUPS],
  ['yarn', NODE_GROUPS],
  ['bun', words('run x pm')],
  ['cargo', words('login owner')],
  ['rustup', words('toolchain component target override self run')],
  ['go', words('mod work tool run generate')],
  ['poetry', words('run env config cache self source')],
  ['countersign', 'every'],
])

/** Programs that take another's options. */
export const VERB_ALIASES: ReadonlyMap<string, string> = new Map([
  ['podman', 'docker'],
  ['nerdctl', 'docker'],
  ['docker-compose', 'compose'],
  ['podman-compose', 'compose'],
  ['tofu', 'terraform'],
  ['oc', 'kubectl'],
  ['yum', 'dnf'],
  ['pip3', 'pip'],
  ['pip2', 'pip'],
])
