import { finding, type RiskFinding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix, hasUnknown } from '../assessor/assessor.ts'
import { byRows } from '../assessor/verb-table.ts'
import { fromElsewhere } from './project-tools.ts'

const rows = byRows({
  family: 'packages',
  otherwise: 'medium',
  bare: ['none', 'shows its help'],
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'list,ls,show,search,policy,depends,rdepends,info,deps,uses,leaves,outdated,doctor,config,desc,home,cat,repolist,repoquery,' +
        'provides,whatprovides,history,history list,history info,check,check-update,list-updates,help,changelog,moo,log,services list,services info,dumpavail,pkgnames,' +
        'showpkg,stats,madison,showmanual,showauto,showhold,find,list-installed,remotes,repos,lr,se,if,lu,version,versions,contents,' +
        'files,formulae,casks,commands,shellenv,--prefix,audit,livecheck,missing,options,readall,style,tap-info,grouplist,grouplist,which,variants,installed,dependents,rdeps,query,connections,interfaces,changes,known,remote-ls,remote-info,groupinfo,updateinfo,analyze,test',
    ],
    [
      'low',
      'yes',
      'fetches lists or clears copies',
      'update,download,clean,autoclean,makecache,fetch,source,cleanup,refresh,ref,update-reset,selfupdate,sync,index,update-index,gather',
    ],
    [
      'medium',
      'yes',
      'installs or removes programs',
      'install,in,reinstall,upgrade,up,dist-upgrade,full-upgrade,safe-upgrade,add,tap,untap,link,unlink,pin,unpin,services,services start,services stop,' +
        'services restart,bundle,build-dep,swap,downgrade,mark,hold,unhold,manual,auto,uninstall,remove,rm,del,erase,group,module,satisfy,fix,' +
        'postinstall,switch,patch,localinstall,localupdate,groupinstall,groupremove,activate,deactivate,enable,disable,revert,connect,disconnect,set,alias,update-all,migrate,update-mirrors,appstream,refresh-keys,system-upgrade,offline-upgrade,upgrade-minimal,run,setup,dup,extract',
    ],
    [
      'high',
      'partly',
      'removes programs with their settings, or many at once',
      'purge,autoremove,autopurge,distro-sync,upgrade-system,clean-all',
      'several',
    ],
    [
      'high',
      'yes',
      'changes where programs come from',
      'edit-sources,config-manager,addrepo,ar,remote-add,remote-modify,copr,copr enable,addlock,repo add,add-repo',
    ],
  ],
  flags: [
    {
      flags:
        '--purge --force-yes --allow-unauthenticated --nogpgcheck --no-gpg-checks --allow-remove-essential --allow-downgrades --allow-untrusted --no-gpg-check --dangerous --force-all --force-bad-verify',
      level: 'high',
      back: 'partly',
      says: 'forces or removes without the usual checks',
    },
  ],
  dry: '-s --simulate --just-print --no-act --assumeno -n --dry --print-uris',
  valued: '-t --target-release -o --option -c --config-file --root --installroot --repository -X --channel --classic',
})

/** apt, dnf, brew, apk, zypper and their like. */
export const assessSystemPackages: Assess = (facts) => {
  const { part, program } = facts
  const addressed = anyPrefix(part, 'http://', 'https://', 'git@', 'git+')
  if (
    addressed &&
    part.args.some(({ value }) => /^(?:install|in|add|tap|localinstall|reinstall|upgrade)$/.test(value ?? ''))
  )
    return fromElsewhere(program)
  if (
    program === 'brew' &&
    part.args.length > 0 &&
    part.args.every(
      ({ value }) =>
        /^--(?:prefix|cellar|cache|repo|repository|env|config|caskroom)/.test(value ?? '') || !value?.startsWith('-'),
    )
  )
    if (part.args[0]?.value?.startsWith('--') === true) return finding('none', 'packages.none', 'brew only reads')
  return rows(facts)
}

type Mode = readonly [test: RegExp, rate: () => RiskFinding]

const reads = (program: string) => finding('none', 'packages.none', `${program} only reads`)
const installs = (program: string) =>
  finding('medium', 'packages.medium', `${program} installs or removes programs`, 'yes')
const forces = (program: string) =>
  finding('high', 'packages.high', `${program} forces, or removes programs with what they need`, 'partly')

/** What dpkg, rpm and pacman are told by a flag. */
const MODES: Readonly<Record<string, readonly Mode[]>> = {
  dpkg: [
    [/^(?:--force|--purge$|-P$|--remove-reinstreq)/, () => forces('dpkg')],
    [
      /^(?:-[lLsSpcIfxX]|--(?:list|listfiles|status|search|print|contents|info|get-selections|audit|verify|compare-versions|field|help|version|assert-.*|validate-.*|yet-to-unpack))/,
      () => reads('dpkg'),
    ],
  ],
  rpm: [
    [/^(?:--force|--nodeps|--import|--nosignature|--nodigest|--replacefiles)/, () => forces('rpm')],
    [/^(?:-q|-V|-K|--query|--verify|--checksig|--eval|--showrc|-E|--help|--version)/, () => reads('rpm')],
    [/^(?:-e|--erase)/, () => installs('rpm')],
  ],
  pacman: [
    [/^(?:-R[a-z]*[nscd]|--overwrite|-[A-Z][a-z]*dd|--nodeps|-Sc{2,})/, () => forces('pacman')],
    [/^(?:-Q|-F|-S[a-z]*[sigl]|-T|-V|--query|--files|-Dk|-h|--help)/, () => reads('pacman')],
  ],
}

/** dpkg, rpm, pacman: what they do is said by a flag, not by a verb. */
export const assessByMode: Assess = ({ part, program }) => {
  const modes = MODES[program === 'yay' || program === 'paru' ? 'pacman' : program] ?? []
  if (hasUnknown(part) && part.args[0]?.value === null)
    return finding('high', 'packages.unknown', `what ${program} is told to do is not known`, 'unknown')
  if (anyFlag(part, '--dry-run', '--simulate', '--no-act', '--test', '--print'))
    return finding('none', 'packages.dry-run', `${program} only shows what it would do`)
  for (const [test, rate] of modes) if (part.args.some(({ value }) => test.test(value ?? ''))) return rate()
  if (anyPrefix(part, 'http://', 'https://')) return fromElsewhere(program)
  return part.args.length === 0 ? reads(program) : installs(program)
}
