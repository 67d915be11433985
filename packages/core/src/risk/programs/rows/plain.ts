import { filterUnless } from '../files.ts'
import { assessMan, assessPager } from '../pagers.ts'
import { fixed, type ProgramRow, READS, SMALL } from './row.ts'

/** Programs for reading and small local effects. */
export const PLAIN: readonly ProgramRow[] = [
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
]
