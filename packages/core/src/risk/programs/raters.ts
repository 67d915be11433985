import { inlineCode } from '../../command/code/inline-code.ts'
import type { RaterName } from '../../knowledge/programs.ts'
import type { Assess } from './assessor/assessor.ts'
import { assessAws, assessCloud, assessS5cmd } from './cloud/cloud-providers.ts'
import { assessAnsible, assessMessages, assessRclone } from './cloud/online-services.ts'
import { assessCompose, assessDocker } from './containers/docker.ts'
import { assessContext, assessKubectl } from './containers/kubectl.ts'
import { assessBq, assessCreateDrop, assessImport, assessKafka, assessPgRestore } from './databases/administration.ts'
import { assessMongo, assessRedis } from './databases/nosql-clients.ts'
import { assessSqlClient } from './databases/sql-clients.ts'
import { assessArchive } from './files/archives.ts'
import {
  assessCat,
  assessCopy,
  assessDd,
  assessDelete,
  assessFind,
  assessLink,
  assessMode,
  assessMove,
  assessPatch,
  assessTruncate,
} from './files/file-operations.ts'
import { assessAwk, assessEditor, assessSed, assessWindowEditor } from './files/stream-editors.ts'
import {
  assessCalculator,
  assessConverter,
  assessDataFilter,
  assessHexDump,
  assessIndex,
  assessPager,
} from './files/viewers-and-converters.ts'
import { assessCodeHost } from './git/code-hosts.ts'
import { assessGit } from './git/git.ts'
import { assessFlask, assessRake } from './interpreters/frameworks.ts'
import { assessInterpreter, assessShell } from './interpreters/interpreters.ts'
import { assessCurl, assessHttpie, assessWget } from './network/http-clients.ts'
import { assessCapture, assessLookup, assessMail, assessNetcat, assessScan } from './network/network-tools.ts'
import { assessSsh, assessSshAccess, assessTransfer } from './network/ssh.ts'
import { assessBazel, assessBuilder, assessFastlane, assessNix } from './packages/build-tools.ts'
import {
  assessBundle,
  assessCargo,
  assessComposer,
  assessGem,
  assessGo,
  assessPythonPackages,
} from './packages/languages.ts'
import { assessNodePackages } from './packages/node.ts'
import { assessByMode, assessSystemPackages } from './packages/operating-system.ts'
import {
  assessBenchmark,
  assessCmake,
  assessDevTool,
  assessFormatter,
  assessMake,
  assessRelease,
} from './packages/project-tools.ts'
import { assessRunner } from './packages/runners.ts'
import { assessAccounts } from './system/accounts.ts'
import { assessAgent, assessGpg, assessKeygen, assessOtherKeys } from './system/cryptographic-keys.ts'
import {
  assessClock,
  assessDisk,
  assessKernel,
  assessMount,
  assessPower,
  assessSysctl,
} from './system/disks-and-kernel.ts'
import {
  assessDesktop,
  assessFirewall,
  assessHostname,
  assessInterfaces,
  assessOpen,
  assessOsascript,
} from './system/host-settings.ts'
import { assessDebugger, assessFuser, assessKill, assessPs, assessScreen, assessTmux } from './system/processes.ts'
import {
  assessAt,
  assessCrontab,
  assessDirectory,
  assessDmesg,
  assessJournal,
  assessServerProgram,
  assessService,
  assessSystemctl,
} from './system/services.ts'
import { assessVirtualBox, assessWsl } from './system/virtual-machines.ts'
import { assessWindows } from './system/windows.ts'
import {
  assessDeclare,
  assessEnv,
  assessEnvironmentTool,
  assessEval,
  assessExport,
  assessHistory,
  assessPrivilege,
  assessSource,
  assessUnset,
  assessWrapper,
} from './system/wrappers.ts'

/** The code that rows of `knowledge/programs` name by `rater`. */
export const RATERS: Readonly<Record<RaterName, Assess>> = {
  accounts: assessAccounts,
  agent: assessAgent,
  ansible: assessAnsible,
  archive: assessArchive,
  at: assessAt,
  awk: assessAwk,
  aws: assessAws,
  bazel: assessBazel,
  benchmark: assessBenchmark,
  bq: assessBq,
  builder: assessBuilder,
  bundle: assessBundle,
  'by-mode': assessByMode,
  calculator: assessCalculator,
  capture: assessCapture,
  cargo: assessCargo,
  cat: assessCat,
  clock: assessClock,
  cloud: assessCloud,
  cmake: assessCmake,
  'code-host': assessCodeHost,
  compose: assessCompose,
  composer: assessComposer,
  context: assessContext,
  converter: assessConverter,
  copy: assessCopy,
  'create-drop': assessCreateDrop,
  crontab: assessCrontab,
  curl: assessCurl,
  'data-filter': assessDataFilter,
  dd: assessDd,
  declare: assessDeclare,
  delete: assessDelete,
  desktop: assessDesktop,
  'dev-tool': assessDevTool,
  directory: assessDirectory,
  disk: assessDisk,
  dmesg: assessDmesg,
  docker: assessDocker,
  editor: assessEditor,
  env: assessEnv,
  'environment-tool': assessEnvironmentTool,
  eval: assessEval,
  export: assessExport,
  fastlane: assessFastlane,
  find: assessFind,
  firewall: assessFirewall,
  flask: assessFlask,
  formatter: assessFormatter,
  debugger: assessDebugger,
  fuser: assessFuser,
  gem: assessGem,
  git: assessGit,
  go: assessGo,
  gpg: assessGpg,
  'hex-dump': assessHexDump,
  history: assessHistory,
  hostname: assessHostname,
  httpie: assessHttpie,
  import: assessImport,
  index: assessIndex,
  interfaces: assessInterfaces,
  interpreter: assessInterpreter,
  journal: assessJournal,
  kafka: assessKafka,
  kernel: assessKernel,
  keygen: assessKeygen,
  kill: assessKill,
  kubectl: assessKubectl,
  link: assessLink,
  lookup: assessLookup,
  mail: assessMail,
  make: assessMake,
  messages: assessMessages,
  mode: assessMode,
  mongo: assessMongo,
  mount: assessMount,
  move: assessMove,
  netcat: assessNetcat,
  nix: assessNix,
  // `bun -e` runs code as node does.
  'node-packages': (facts) =>
    facts.program === 'bun' && inlineCode('bun', facts.part.args, facts.part.stdin) !== null
      ? assessInterpreter(facts)
      : assessNodePackages(facts),
  open: assessOpen,
  osascript: assessOsascript,
  'other-keys': assessOtherKeys,
  pager: assessPager,
  patch: assessPatch,
  'pg-restore': assessPgRestore,
  power: assessPower,
  privilege: assessPrivilege,
  ps: assessPs,
  'python-packages': assessPythonPackages,
  rake: assessRake,
  rclone: assessRclone,
  redis: assessRedis,
  release: assessRelease,
  runner: assessRunner,
  s5cmd: assessS5cmd,
  scan: assessScan,
  screen: assessScreen,
  sed: assessSed,
  'server-program': assessServerProgram,
  service: assessService,
  shell: assessShell,
  source: assessSource,
  'sql-client': assessSqlClient,
  ssh: assessSsh,
  'ssh-access': assessSshAccess,
  sysctl: assessSysctl,
  'system-packages': assessSystemPackages,
  systemctl: assessSystemctl,
  tmux: assessTmux,
  transfer: assessTransfer,
  truncate: assessTruncate,
  unset: assessUnset,
  'virtual-box': assessVirtualBox,
  wget: assessWget,
  'window-editor': assessWindowEditor,
  windows: assessWindows,
  wrapper: assessWrapper,
  wsl: assessWsl,
}
