import { wordSet } from '../arguments/word-set.ts'

/** Folders at the root that belong to the system. */
export const SYSTEM = wordSet(
  'bin sbin usr etc lib lib32 lib64 libx32 boot var opt root run snap nix efi system library applications ' +
    'private cores recovery windows',
)
/** Folders that hold everybody's files: themselves, not what is in them. */
export const CONTAINERS = wordSet('home users mnt media srv volumes')

export const SECRET_FOLDERS = wordSet(
  '.ssh .gnupg .aws .azure .kube .password-store keychains .gcloud .oci .terraform.d .step .bitcoin .ethereum .electrum',
)
export const SECRET_FILES = wordSet(
  '.netrc _netrc .pgpass .my.cnf .mylogin.cnf .npmrc .pypirc .git-credentials .vault-token .dockercfg .s3cfg .boto ' +
    '.htpasswd .env .envrc credentials credentials.json .credentials.json shadow gshadow sudoers id_rsa id_dsa id_ecdsa ' +
    'id_ed25519 authorized_keys secrets.yml secrets.yaml secrets.json cookies.sqlite logins.json key4.db auth.json ' +
    'kubeconfig wallet.dat master.key .rediscli_auth .terraformrc .sops.key',
)
/** What shells and clients remember of commands: often with secrets in it. */
export const HISTORIES = wordSet(
  '.bash_history .zsh_history .sh_history .history .python_history .psql_history .mysql_history .sqlite_history ' +
    '.node_repl_history .rediscli_history .irb_history .lesshst fish_history',
)
export const SECRET_ENDINGS: readonly string[] = [
  '.pem',
  '.key',
  '.p12',
  '.pfx',
  '.keystore',
  '.jks',
  '.kdbx',
  '.ppk',
  '_rsa',
  '_ed25519',
  '.keychain-db',
  '.keychain',
  '.agekey',
]
export const SECRET_PATHS: readonly string[] = [
  '/.config/gcloud',
  '/.config/gh',
  '/.config/glab-cli',
  '/.config/op',
  '/.config/hub',
  '/.config/sops',
  '/.config/age',
  '/.config/doctl',
  '/.config/heroku',
  '/.docker/config.json',
  '/.config/rclone',
  '/.cargo/credentials',
  '/.gem/credentials',
  '/.m2/settings-security.xml',
  '/.local/share/keyrings',
  '/.config/google-chrome',
  '/.config/chromium',
  '/.config/bravesoftware',
  '/.config/microsoft-edge',
  '/.mozilla/firefox',
  '/.thunderbird',
]
/** Certificates and public keys go by the same endings as private ones. */
export const PUBLIC_NAME =
  /(?:^|[-_.])(?:ca|cacert|cert|certs|certificate|chain|fullchain|public|pub|bundle)(?:[-_.].*)?\.(?:pem|key)$/

export const EXAMPLES = wordSet('.env.example .env.sample .env.template .env.dist .env.defaults .env.schema')

/** Files that run, or configure what runs, at a later moment. */
export const STARTUP = wordSet(
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout ' +
    '.login .cshrc .inputrc .gitconfig .vimrc .tmux.conf .xprofile .xinitrc .xsession .pam_environment .claude .cursor ' +
    '.codex .gemini .emacs .emacs.d .mkshrc .kshrc',
)
export const STARTUP_PATHS: readonly string[] = [
  '.config/git',
  '.config/fish',
  '.config/autostart',
  '.config/systemd',
  '.config/nvim',
  '.config/environment.d',
  '.config/zsh',
  '.local/share/systemd',
  'library/launchagents',
]
/** A repository's own data, and the pipelines that run by themselves. */
export const VCS = wordSet(
  '.git .hg .svn .jj .husky .circleci .gitlab-ci.yml .travis.yml jenkinsfile azure-pipelines.yml .drone.yml ' +
    'bitbucket-pipelines.yml .buildkite appveyor.yml .woodpecker.yml .woodpecker .lefthook lefthook.yml',
)
/** What a tool makes again. */
export const REGENERABLE = wordSet(
  'node_modules dist build target out .next .nuxt .svelte-kit coverage .nyc_output __pycache__ .venv venv .cache ' +
    '.pytest_cache .mypy_cache .ruff_cache .turbo .parcel-cache .gradle .tox .nox .eslintcache .output .angular .vite ' +
    'storybook-static bower_components .dart_tool deriveddata obj htmlcov .coverage .eggs _build .elixir_ls .stack-work ' +
    'dist-newstyle zig-cache .zig-cache zig-out cmake-build-debug cmake-build-release test-results playwright-report ' +
    '.docusaurus .expo .pnpm-store .wrangler .aws-sam cdk.out .terragrunt-cache .terraform .ipynb_checkpoints ' +
    '.hypothesis .phpunit.cache .phpunit.result.cache .sass-cache .jekyll-cache _site .swc .rpt2_cache .tmp .temp tmp ' +
    '.ds_store thumbs.db .serverless .nx .stylelintcache .tsbuildinfo site-packages .astro .contentlayer .bundle ' +
    '.yarn-cache .metro-cache lib-cov .fleet .kotlin .bloop .metals package-lock.json yarn.lock pnpm-lock.yaml ' +
    'npm-shrinkwrap.json bun.lockb bun.lock cargo.lock poetry.lock uv.lock gemfile.lock composer.lock pipfile.lock ' +
    'nohup.out npm-debug.log yarn-error.log',
)
export const REGENERABLE_ENDINGS = /\.(?:pyc|pyo|o|obj|class|tsbuildinfo|egg-info|gcda|gcno|swp|swo|tmp)$|~$/
/** Folders under the home folder that only hold copies. */
export const HOME_CACHES: readonly string[] = [
  '.cache',
  '.npm',
  '.pnpm-store',
  '.yarn/cache',
  '.bun/install/cache',
  '.gradle/caches',
  '.m2/repository',
  '.cargo/registry',
  '.cargo/git',
  '.nuget/packages',
  '.ivy2/cache',
  '.composer/cache',
  'go/pkg/mod',
  'library/caches',
  'library/developer/xcode/deriveddata',
  '.local/share/trash',
]
/** The same for the system: what package managers fetch again. */
export const SYSTEM_CACHES: readonly string[] = ['/var/lib/apt/lists', '/var/cache', '/usr/local/share/.cache']
/** Where people install programs and services of their own. */
export const OWN_INSTALLS: readonly string[] = [
  '/usr/local',
  '/opt',
  '/var/www',
  '/var/log',
  '/applications',
  '/var/opt',
]

export const TEMP: readonly string[] = [
  '/tmp',
  '/var/tmp',
  '/private/tmp',
  '/private/var/tmp',
  '/var/folders',
  '/private/var/folders',
  '/dev/shm',
]
