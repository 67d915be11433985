import type { Assess } from '../facts.ts'
import { finding } from '../finding.ts'
import { interpreterOf } from '../interpreter-names.ts'
import type { RiskLevel } from '../level.ts'
import { assessCloud, assessGh, assessPulumi, assessTerraform } from './cloud.ts'
import { assessCompose, assessDocker, assessHelm, assessKubectl } from './containers.ts'
import { assessMongo, assessRedis, assessSqlClient } from './databases.ts'
import {
  assessArchive,
  assessAwk,
  assessCopy,
  assessDd,
  assessDelete,
  assessFind,
  assessMode,
  assessMove,
  assessPatch,
  assessSed,
  assessTruncate,
  filterUnless,
} from './files.ts'
import { assessGit } from './git.ts'
import { assessInterpreter, assessShell } from './interpreters.ts'
import { assessCurl, assessLookup, assessNetcat, assessSsh, assessTransfer } from './network.ts'
import {
  assessCargo,
  assessDevTool,
  assessGo,
  assessMake,
  assessNodePackages,
  assessPythonPackages,
  assessRunner,
  assessSystemPackages,
} from './packages.ts'
import { assessMan, assessPager } from './pagers.ts'
import {
  assessCrontab,
  assessDate,
  assessEnv,
  assessEval,
  assessExport,
  assessHistory,
  assessHostname,
  assessKill,
  assessPrivilege,
  assessService,
  assessSource,
  assessSystemctl,
  assessToggle,
  assessWrapper,
} from './system.ts'

const fixed =
  (level: RiskLevel, rule: string, says: string): Assess =>
  ({ program }) =>
    finding(level, rule, `${program} ${says}`)

const READS = fixed('none', 'plain.read', 'only reads or prints')
const SMALL = fixed('low', 'plain.small', 'has a small local effect')

/** Programs by what rates them. Each row: names, then the assessor. */
const ROWS: readonly (readonly [string, Assess])[] = [
  [
    'ls dir vdir exa eza lsd cat tac head tail wc stat file du df tree pwd which whereis type whoami who w ' +
      'users id groups uname arch nproc uptime free vmstat iostat lscpu lsblk lsusb lspci lsof ps pstree top ' +
      'htop pgrep pidof echo printf true false : test [ [[ expr seq yes sleep basename dirname realpath ' +
      'readlink cut tr rev nl fold fmt column comm paste join cmp diff colordiff sdiff diff3 md5sum sha1sum ' +
      'sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base64 base32 od xxd hexdump strings tput clear ' +
      'reset stty tty locale cal bc dc factor numfmt getconf getent apropos whatis info tldr help jobs fg ' +
      'bg wait cd pushd popd dirs exit return break continue shift let getopts read hash times ulimit umask ' +
      'set shopt local declare typeset readonly unset mapfile readarray compgen complete zcat ' +
      'zgrep xzcat bzcat cloc tokei scc ldd nm objdump readelf size file-roller jq gron fx ' +
      'dust duf procs difft shellcheck hadolint yamllint actionlint tfsec semgrep gitleaks trivy ' +
      'journalctl dmesg last lastlog sw_vers system_profiler uuidgen mktemp-dry ping6',
    READS,
  ],
  [
    'mkdir touch mktemp ln mkfifo logger wait-for-it open-cli split csplit tee install-info notify-send ' +
      'pbcopy xclip trap alias unalias disown bind',
    SMALL,
  ],
  ['man', assessMan],
  ['less more zless most', assessPager],
  ['bat batcat glow delta', filterUnless('--pager')],
  ['hyperfine', fixed('high', 'code.bench', 'runs the commands it is given')],
  ['rm rmdir unlink shred srm wipe trash', assessDelete],
  ['mv', assessMove],
  ['cp install gcp', assessCopy],
  ['truncate', assessTruncate],
  ['find', assessFind],
  ['fd fdfind', filterUnless('--exec-unknown')],
  ['grep egrep fgrep ag ack', filterUnless('--pager')],
  ['rg', filterUnless('--pre', '--hostname-bin')],
  ['sort gsort', filterUnless('--compress-program')],
  ['uniq', READS],
  [
    'yq',
    ({ part }) =>
      part.args.some((word) => word.value === '-i' || word.value === '--inplace')
        ? finding('medium', 'files.rewrite', 'yq rewrites a file')
        : finding('none', 'files.filter', 'yq only reads'),
  ],
  ['chmod chown chgrp chattr setfacl', assessMode],
  ['dd', assessDd],
  ['tar bsdtar gtar zip unzip 7z 7za rar unrar gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd cpio ar', assessArchive],
  ['sed gsed', assessSed],
  ['awk gawk mawk nawk', assessAwk],
  ['patch', assessPatch],
  ['git', assessGit],
  ['hg svn jj', fixed('medium', 'vcs.other', 'works on a repository')],
  ['gh', assessGh],
  ['glab hub', fixed('high', 'vcs.remote', 'changes things on a server')],
  ['npm pnpm yarn bun', assessNodePackages],
  ['pip pip2 pip3 uv poetry pipenv pdm rye hatch conda mamba pipx', assessPythonPackages],
  ['cargo rustup', assessCargo],
  ['go', assessGo],
  ['apt apt-get aptitude dnf yum brew apk pacman zypper snap flatpak port dpkg rpm', assessSystemPackages],
  ['gem bundle composer nuget', fixed('medium', 'packages.install', 'installs or runs packages')],
  ['twine', fixed('high', 'packages.publish', 'publishes a package')],
  ['npx bunx uvx', assessRunner],
  [
    'make gmake just task ninja cmake meson bazel mvn mvnw gradle gradlew ant sbt rake invoke nox tox scons',
    assessMake,
  ],
  [
    'tsc eslint prettier biome vitest jest mocha ava tap c8 nyc vite next nuxt astro webpack rollup esbuild ' +
      'swc turbo nx lerna tsup ts-jest playwright cypress storybook svelte-check vue-tsc stylelint ' +
      'markdownlint knip oxlint dprint commitlint lint-staged husky changeset size-limit pytest mypy pyright ' +
      'ruff black isort flake8 pylint bandit coverage rubocop rspec phpunit phpstan pest golangci-lint gofmt ' +
      'goimports staticcheck rustfmt clippy-driver clang-format clang-tidy gcc g++ cc c++ clang clang++ ld as ' +
      'javac javadoc kotlinc scalac swift swiftc rustc dotnet msbuild ghc stack cabal mix elixir iex rebar3 ' +
      'ctest protoc buf sqlfluff alembic-check pre-commit tsdx nodemon concurrently wait-on serve http-server ' +
      'tailwindcss postcss sass',
    assessDevTool,
  ],
  ['docker podman nerdctl', assessDocker],
  ['docker-compose podman-compose', assessCompose],
  ['kubectl oc', assessKubectl],
  ['helm', assessHelm],
  ['terraform tofu terragrunt', assessTerraform],
  ['pulumi cdk cdktf', assessPulumi],
  ['aws gcloud az gsutil bq doctl oci ibmcloud linode-cli scw hcloud s3cmd', assessCloud],
  [
    'ansible ansible-playbook heroku fly flyctl vercel netlify wrangler firebase serverless sls railway ' +
      'supabase eb sam argocd flux vault op pass security certbot stripe twilio velero borg restic rclone',
    fixed('high', 'cloud.other', 'changes things on other machines or services'),
  ],
  ['psql mysql mariadb sqlite3 duckdb clickhouse-client sqlcmd cockroach', assessSqlClient],
  ['redis-cli valkey-cli', assessRedis],
  ['mongosh mongo', assessMongo],
  ['pg_dump mysqldump pg_dumpall mongodump', SMALL],
  ['pg_restore mongorestore createdb dropuser createuser', fixed('high', 'database.change', 'changes a database')],
  ['dropdb', fixed('critical', 'database.drop', 'drops a database')],
  ['curl wget http https xh httpie aria2c', assessCurl],
  ['ssh mosh', assessSsh],
  ['scp rsync sftp ftp lftp', assessTransfer],
  ['nc ncat netcat socat telnet', assessNetcat],
  ['ping dig nslookup host traceroute tracepath whois mtr ss netstat', assessLookup],
  ['ngrok cloudflared localtunnel lt', fixed('high', 'network.tunnel', 'opens this machine to the network')],
  ['mail mailx sendmail mutt msmtp', fixed('high', 'network.mail', 'sends mail')],
  ['nmap masscan tcpdump tshark', fixed('high', 'network.scan', 'scans or listens to the network')],
  ['sudo doas pkexec su runuser sg setpriv', assessPrivilege],
  ['env printenv', assessEnv],
  [
    'nice ionice chrt taskset timeout gtimeout nohup setsid stdbuf unbuffer time command builtin exec noglob ' +
      'nocorrect xargs gxargs parallel watch flock script busybox toybox valgrind systemd-inhibit caffeinate ' +
      'fakeroot firejail xvfb-run dbus-run-session rlwrap entr sshpass direnv mise doppler dotenvx aws-vault',
    assessWrapper,
  ],
  ['strace ltrace gdb perf lldb', SMALL],
  [
    'chroot unshare nsenter bwrap systemd-run',
    fixed('high', 'system.namespace', 'runs a command with other rights or in another root'),
  ],
  ['eval', assessEval],
  ['source .', assessSource],
  ['sh bash dash zsh ksh mksh ash rbash fish csh tcsh yash', assessShell],
  [
    'pwsh powershell cmd cmd.exe powershell.exe wscript cscript',
    fixed('high', 'shell.foreign', 'runs code in a shell that is not analysed'),
  ],
  ['export', assessExport],
  ['systemctl', assessSystemctl],
  ['service rc-service launchctl initctl supervisorctl pm2', assessService],
  ['kill pkill killall xkill skill', assessKill],
  ['crontab', assessCrontab],
  ['at batch tmux screen', fixed('high', 'system.later', 'runs commands later or out of sight')],
  ['shutdown reboot halt poweroff init telinit', fixed('critical', 'system.power', 'stops the machine')],
  [
    'mkfs mke2fs mkswap wipefs blkdiscard sgdisk fdisk sfdisk parted diskutil cryptsetup lvremove vgremove ' +
      'pvremove zpool zfs mdadm hdparm nvme format',
    fixed('critical', 'system.disk', 'works on disks or volumes'),
  ],
  ['mount umount swapoff swapon losetup fsck', fixed('high', 'system.mount', 'changes what is mounted')],
  ['iptables ip6tables nft ufw firewall-cmd setenforce csrutil spctl', assessToggle],
  [
    'ip ifconfig route nmcli iwconfig hostnamectl timedatectl localectl loginctl sysctl hwclock networksetup ' +
      'scutil defaults pactl ethtool brctl',
    assessToggle,
  ],
  [
    'useradd userdel usermod groupadd groupdel adduser deluser visudo passwd chpasswd chage htpasswd dscl vipw gpasswd',
    fixed('high', 'system.accounts', 'changes accounts or passwords'),
  ],
  [
    'modprobe insmod rmmod kexec grub-install update-grub bcdedit',
    fixed('critical', 'system.kernel', 'changes the kernel or how the machine starts'),
  ],
  ['history', assessHistory],
  ['date', assessDate],
  ['hostname', assessHostname],
  ['ssh-keygen ssh-add ssh-copy-id gpg gpg2 openssl keytool age', fixed('medium', 'system.keys', 'works on keys')],
  ['vi vim nvim nano emacs pico ed ex code subl', fixed('medium', 'files.editor', 'opens an editor')],
  ['open xdg-open start', fixed('medium', 'system.open', 'opens something with another program')],
  ['nvm pyenv rbenv asdf fnm volta sdk corepack', fixed('medium', 'packages.toolchain', 'changes the tool chain')],
  ['countersign', SMALL],
]

const TABLE: ReadonlyMap<string, Assess> = new Map(
  ROWS.flatMap(([names, assess]) => names.split(' ').map((name): [string, Assess] => [name, assess])),
)

/** The assessor for a program; undefined when it is not in the list. */
export function assessorOf(program: string): Assess | undefined {
  const known = TABLE.get(program)
  if (known !== undefined) return known
  if (interpreterOf(program) !== null) return assessInterpreter
  if (program.startsWith('mkfs.') || program.startsWith('fsck.')) return TABLE.get('mkfs')
  return undefined
}

const PROJECT_ASSESSORS: ReadonlySet<Assess | undefined> = new Set([
  assessDevTool,
  assessMake,
  assessNodePackages,
  assessPythonPackages,
  assessRunner,
])

/** Others that come with a project's packages. */
const PROJECT_NAMES = new Set(
  'shellcheck hadolint yamllint actionlint semgrep cloc tldr cdk cdktf aws bundle composer countersign'.split(' '),
)

/** Whether a program is one that projects install for themselves: `tsc`, `pip`, `npm`. */
export function isProjectTool(program: string): boolean {
  return PROJECT_NAMES.has(program) || PROJECT_ASSESSORS.has(TABLE.get(program))
}
