import { wordSet } from './word-set.ts'
/** Places known to the gate. All absolute real paths; the same shape as policy's. */
export interface Places {
  readonly workspace: string
  readonly home: string
  /** The folder of policy, store and keys. */
  readonly gate: string
  readonly temp: string
}

/** What sort of place a path leads to. */
export type Place =
  /** `/dev`, `/proc` and `/sys`: not files as people know them. */
  | 'device'
  | 'system'
  | 'gate'
  | 'credentials'
  /** Files that run, or configure what runs, at a later moment. */
  | 'startup'
  | 'home'
  /** A repository's own data, its hooks and its pipelines. */
  | 'vcs'
  | 'regenerable'
  | 'workspace'
  | 'temp'
  | 'elsewhere'

const SYSTEM = wordSet(
  'bin sbin usr etc lib lib32 lib64 libx32 boot var opt root run snap nix efi system library applications ' +
    'private cores recovery windows',
)
/** Folders that hold everybody's files: themselves, not what is in them. */
const CONTAINERS = wordSet('home users mnt media srv volumes')
const SECRET_FOLDERS = wordSet(
  '.ssh .gnupg .aws .azure .kube .password-store keychains .gcloud .oci .terraform.d .step',
)
const SECRET_FILES = wordSet(
  '.netrc _netrc .pgpass .my.cnf .npmrc .pypirc .git-credentials .vault-token .dockercfg .s3cfg .boto ' +
    '.htpasswd .env credentials credentials.json shadow gshadow sudoers id_rsa id_dsa id_ecdsa id_ed25519 ' +
    'authorized_keys secrets.yml secrets.yaml secrets.json cookies.sqlite logins.json key4.db',
)
const SECRET_ENDINGS = ['.pem', '.key', '.p12', '.pfx', '.keystore', '.jks', '.kdbx', '.ppk', '_rsa', '_ed25519']
const SECRET_PATHS = [
  '.config/gcloud',
  '.config/gh',
  '.config/op',
  '.docker/config.json',
  '.config/rclone',
  '.cargo/credentials',
]
const EXAMPLES = wordSet('.env.example .env.sample .env.template .env.dist .env.defaults')
const STARTUP = wordSet(
  '.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .zlogout ' +
    '.login .cshrc .inputrc .gitconfig .vimrc .tmux.conf .xprofile .xinitrc .pam_environment .claude .cursor ' +
    '.codex .gemini',
)
const STARTUP_PATHS = [
  '.config/git',
  '.config/fish',
  '.config/autostart',
  '.config/systemd',
  '.config/nvim',
  'library/launchagents',
]
const VCS = wordSet('.git .hg .svn .husky .circleci .gitlab-ci.yml')
const REGENERABLE = wordSet(
  'node_modules dist build target out .next .nuxt .svelte-kit coverage .nyc_output __pycache__ .venv venv ' +
    '.cache .pytest_cache .mypy_cache .ruff_cache .turbo .parcel-cache .gradle .tox .eslintcache .output ' +
    '.angular .vite storybook-static',
)
const TEMP = [
  '/tmp',
  '/var/tmp',
  '/private/tmp',
  '/private/var/tmp',
  '/var/folders',
  '/private/var/folders',
  '/dev/shm',
]

/** Whether a path is a folder or lies in it, component by component: `/srv/app-secrets` is not inside `/srv/app`. */
export function isInside(path: string, folder: string): boolean {
  if (folder === '' || path === folder) return path === folder && folder !== ''
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

const LOWER_CASE = /^[\x20-\x40\x5b-\x7e]*$/

/** Names as a case-insensitive volume compares them, look-alike letters folded. */
function fold(path: string): string {
  // SECURITY: A27, K (Kelvin) and ſ name the same file as k and s on some volumes.
  return LOWER_CASE.test(path) ? path : path.normalize('NFKC').toLowerCase()
}

/** Tells what sort of place a real, absolute path is. A place that is worse wins over one that is nearer. */
export function placeOf(real: string, places: Places): Place {
  if (isInside(real, places.gate)) return 'gate'
  const folded = fold(real)
  const names = folded.split('/').filter((name) => name !== '')
  const [top] = names
  if (isSecret(names, folded)) return 'credentials'
  if (TEMP.some((folder) => isInside(folded, folder)) && !isInside(real, places.workspace)) return 'temp'
  if (top === 'dev' || top === 'proc' || top === 'sys') return 'device'
  if (isInside(real, places.workspace)) return placeInWorkspace(fold(real.slice(places.workspace.length)))
  if (isInside(real, places.temp)) return 'temp'
  if (isInside(real, places.home)) return placeInHome(fold(real.slice(places.home.length + 1)), names)
  if (top === undefined || SYSTEM.has(top)) return 'system'
  if (names.length === 1 && CONTAINERS.has(top)) return 'system'
  return isVcs(names) ? 'vcs' : 'elsewhere'
}

function isSecret(names: readonly string[], folded: string): boolean {
  const last = names.at(-1) ?? ''
  if (names.some((name) => SECRET_FOLDERS.has(name)) || SECRET_FILES.has(last)) return true
  if (last.startsWith('.env.') && !EXAMPLES.has(last)) return true
  if (SECRET_ENDINGS.some((ending) => last.endsWith(ending))) return true
  if (SECRET_PATHS.some((path) => folded.includes(`/${path}`))) return true
  return last.endsWith('_key') && names.includes('ssh')
}

function isVcs(names: readonly string[]): boolean {
  return names.some((name) => VCS.has(name)) || (names.includes('.github') && names.includes('workflows'))
}

function placeInWorkspace(rest: string): Place {
  const names = rest.split('/').filter((name) => name !== '')
  if (names.some((name) => STARTUP.has(name) && !name.endsWith('rc'))) return 'startup'
  // What a build makes again is not precious, even with a repository inside it.
  if (names.some((name) => REGENERABLE.has(name))) return 'regenerable'
  return isVcs(names) ? 'vcs' : 'workspace'
}

function placeInHome(rest: string, names: readonly string[]): Place {
  const [first] = rest.split('/')
  if (STARTUP.has(first ?? '') || STARTUP_PATHS.some((path) => isInside(rest, path))) return 'startup'
  return isVcs(names) ? 'vcs' : 'home'
}

/** Devices that swallow, repeat or show: writing there changes nothing. */
export function isHarmlessDevice(path: string): boolean {
  return /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d{1,4})$/.test(path)
}

/** A file that only may hold secrets, such as `.env`: reading it is medium, not high. */
export function isLikelySecret(path: string): boolean {
  const name = fold(path.slice(path.lastIndexOf('/') + 1))
  return name === '.env' || name.startsWith('.env.') || name === '.npmrc'
}

/** The public half of a key, or a list of known hosts: reading it gives nothing away. */
export function isPublicHalf(path: string): boolean {
  return (
    /\.pub$|\/known_hosts$|\/\.(?:ssh|aws|kube)\/(?:config|known_hosts)$/.test(fold(path)) &&
    !fold(path).endsWith('.kube/config')
  )
}
