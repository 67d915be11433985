import { wordSet } from '../../arguments/word-set.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix } from '../assessor/assessor.ts'
import { byRows } from '../assessor/verb-table.ts'
import { named } from './project-tools.ts'
import { rateScriptName } from './script-names.ts'

const VALUED = wordSet(
  '-f --file -s --settings -pl --projects -P -T --threads -l --log-file -p --project-dir -b --build-file -c -x --exclude-task ' +
    '--tests -g --gradle-user-home --max-workers -I --init-script --configuration -t -rf -gs',
)
/** Goals that stay on this machine though their name says otherwise. */
const LOCAL = /^(?:publishlocal|publishm2|publishtomavenlocal|release:clean|installdist|install)$/i
const READS =
  /^(?:dependency:(?:tree|list|analyze|resolve)|help|tasks|dependencies|projects|properties|dependencyinsight|help:.*|versions:display.*|components|outgoingvariants|javatoolchains|buildenvironment|plugins|reload|show|inspect|enforcer:.*)$/i
const DESTROYS =
  /^(?:flyway:?clean|liquibase:?dropall|dropall|flywayclean|.*[dD]eployTo.*|jib:build|jib|.*:push|nexus-staging:.*|scm:checkin|site-deploy|central-publishing:.*|deploy:.*|release:(?:perform|prepare|stage|rollback)|publishsigned|releaseearly|.*dockerpush.*)$/i

const publishes = (program: string, goal: string): RiskFinding =>
  finding('high', 'packages.publish', `${program} publishes, deploys or destroys`, 'no', named(goal))

/** Maven, Gradle, sbt and their like: goals and tasks as words. */
export const assessBuilder: Assess = ({ part, program }) => {
  if (anyFlag(part, '--dry-run', '-m') && program.startsWith('gradle'))
    return finding('none', 'build.dry-run', `${program} only prints`)
  if (
    anyFlag(part, '--init-script', '-I') ||
    anyPrefix(part, '-Dexec.executable', '-Dmaven.ext.class.path', '-javaagent')
  )
    return finding('high', 'build.injection', `${program} is given code or settings from the command line`, 'unknown')
  const goals = plainWords(part, VALUED)
  if (goals.some(({ value }) => value === null))
    return finding('high', 'build.unknown', `what ${program} is told to do is not known`, 'unknown')
  const names = goals
    .flatMap(({ value }) => (value ?? '').split(/\s+/))
    .map((goal) => (goal.startsWith(':') ? goal.slice(goal.lastIndexOf(':') + 1) : goal))
  for (const name of names) {
    if (LOCAL.test(name)) continue
    if (DESTROYS.test(name) || rateScriptName(name) === 'high') return publishes(program, name)
  }
  if (names.length > 0 && names.every((name) => READS.test(name)))
    return finding('none', 'build.read', `${program} only reads`)
  return names.some((name) =>
    /^(?:versions:(?:set|use)|wrapper|spotlessapply|ktlintformat|scalafmtall|licenseformat)/i.test(name),
  )
    ? finding('medium', 'build.rewrite', `${program} rewrites project files`, 'yes')
    : finding('low', 'build.run', 'runs the project’s own code', 'partly')
}

/** Bazel and its like: verbs with targets. */
export const assessBazel: Assess = (facts) => {
  const target =
    facts.verb.kind === 'verb'
      ? facts.verb.rest.find(({ value }) => value !== null && /^(?:\/\/|:|@)/.test(value))?.value
      : null
  const runs = facts.verb.kind === 'verb' && facts.verb.verb === 'run'
  if (runs && target != null && rateScriptName(target.slice(target.lastIndexOf(':') + 1)) === 'high')
    return publishes(facts.program, target)
  return bazel(facts)
}

const bazel = byRows({
  family: 'build',
  otherwise: 'low',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'query,cquery,aquery,info,help,version,dump,analyze-profile,print_action,targets,audit,log,list,dependencies,peek,paths,roots',
    ],
    [
      'low',
      'partly',
      'runs the project’s own code',
      'build,test,run,coverage,clean,fetch,sync,shutdown,mod,vendor,check,lint,fmt,package,export',
    ],
    ['high', 'no', 'publishes', 'publish'],
  ],
})

/** Tool chains by version: reading, choosing, installing. */
export const assessToolchain = byRows({
  family: 'toolchain',
  otherwise: 'medium',
  bare: ['none', 'shows what is there'],
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'list,ls,ls-remote,list-remote,list-all,versions,version,current,which,whereis,where,help,root,doctor,info,latest,outdated,env,' +
        'version-name,version-file,prefix,config,shims,commands,alias list,plugin list,plugins,plugin-list,tasks,settings,status,stdlib,available,home,broadcast,' +
        'list-available,flush --help,cache,show,hash,plugin list all,bin-paths,version-alias,tree,activate,hook-env,show active,dir',
    ],
    [
      'low',
      'yes',
      'runs with the chosen tools',
      'exec,run,x,shell,reshim,rehash,deactivate,task,r,watch,fmt,init,completions,completion,env-shell',
    ],
    [
      'medium',
      'yes',
      'changes the tool chain',
      'install,i,use,uninstall,global,local,default,alias,set,pin,upgrade,update,add,remove,rm,prune,plugin,plugin add,plugin update,plugin-add,enable,disable,prepare,up,self-update,selfupdate,unuse,unset,config set,link,unalias,cache clear,sync,implode,flush,fetch,install-latest-npm,reinstall-packages,migrate',
    ],
    ['high', 'unknown', 'trusts code of a folder', 'trust,allow,permit,grant'],
  ],
})

/** Nix: builds are small, running code by address is not. */
export const assessNix: Assess = (facts) => {
  const { part, program } = facts
  if (program === 'nixos-rebuild' || program === 'darwin-rebuild')
    return anyFlag(part, 'build', 'dry-build') || part.args[0]?.value === 'build' || part.args[0]?.value === 'dry-build'
      ? finding('low', 'build.run', `${program} only builds`)
      : finding('high', 'packages.system', `${program} changes the whole system`, 'partly')
  if (program === 'nix-collect-garbage')
    return finding(
      anyFlag(part, '-d', '--delete-old') ? 'high' : 'medium',
      'packages.garbage',
      'deletes old versions of packages',
      'no',
    )
  if (
    program === 'nix' &&
    part.args[0]?.value === 'run' &&
    anyPrefix(part, 'github:', 'gitlab:', 'git+', 'http', 'sourcehut:')
  )
    return finding('high', 'packages.fetch-run', 'nix downloads a program and runs it', 'unknown')
  return nix(facts)
}

const nix = byRows({
  family: 'packages',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'search,eval,show-config,flake show,flake metadata,flake info,log,path-info,why-depends,derivation show,doctor,help,store ls,store cat,repl,hash,config show,profile list,profile history,flake check,list,generations,news,packages',
    ],
    [
      'low',
      'partly',
      'builds or runs in a shell of its own',
      'build,develop,shell,run,fmt,print-dev-env,bundle,copy,edit',
    ],
    [
      'medium',
      'yes',
      'installs or changes packages',
      'profile,profile install,profile remove,profile upgrade,flake update,flake lock,flake init,flake new,upgrade-nix,registry,registry add,switch,channel,store add,store optimise',
    ],
    ['high', 'no', 'deletes packages', 'store gc,store delete,profile wipe-history,store repair,expire-generations'],
  ],
})

/** Mobile and desktop builds: Flutter, Dart, CocoaPods, fastlane, Mix, Leiningen and others with publishing verbs. */
export const assessProjectVerbs = byRows({
  family: 'build',
  otherwise: 'low',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'doctor,devices,emulators,--version,help,info,list,show,search,outdated,tree,pub deps,pub outdated,config list,env list,deps.tree,hex.info,hex.outdated,' +
        'phx.routes,ecto.migrations,repo list,spec cat,deps,classpath,show-profiles,lanes,trunk me,dependencies,version,check,freeze,app.tree,profile list,ls-plugins,describe,audit,xref,dump,dependencies list',
    ],
    [
      'low',
      'partly',
      'runs the project’s own code',
      'test,build,run,analyze,compile,start,attach,drive,clean,create,gen-l10n,logs,screenshot,phx.server,credo,dialyzer,docs,repl,uberjar,jar,lint,bench,iex,' +
        'exec,haddock,hoogle,ghci,sdist,pack,release.init,escript.build,coveralls,run-tests,driver,package,assemble,new-build,configure,v2-build,v2-test,v2-run,repl-alt,do',
    ],
    [
      'medium',
      'yes',
      'installs or changes packages',
      'pub get,pub add,pub remove,pub upgrade,pub global activate,pub cache clean,upgrade,channel,install,update,deps.get,deps.update,deps.compile,deps.clean,local.hex,local.rebar,archive.install,' +
        'ecto.migrate,ecto.create,ecto.gen.migration,new,phx.new,phx.gen.html,phx.gen.schema,repo update,init,setup,fetch,add,remove,uninstall,get,edit,ancient,self-update,package update,package resolve,package init,package add-dependency,package reset,deintegrate,cache clean,config,reinstall,pin,switch,env,unlock,get-deps',
    ],
    ['medium', 'yes', 'rewrites project files', 'format,fix,fmt'],
    [
      'high',
      'no',
      'publishes for everybody',
      'pub publish,hex.publish,trunk push,push,upload,deploy,publish,release,beta,deliver,pilot,supply,submit,hex publish,repo push,ship,upload_to_testflight,upload_to_app_store,upload_to_play_store,appstore,production,vsce publish,new-upload,release-candidate',
    ],
    ['high', 'no', 'drops or resets a database', 'ecto.drop,ecto.reset,ecto.rollback,db.drop'],
    [
      'high',
      'partly',
      'changes a package or certificates that others use',
      'hex.retire,trunk delete,trunk deprecate,trunk add-owner,hex.owner,match,cert,sigh,nuke,match nuke,yank,hex.user',
    ],
  ],
  flags: [
    {
      verbs: 'format, fmt',
      flags: '--check --check-formatted --set-exit-if-changed --dry-run -n -o',
      level: 'low',
      back: 'yes',
      says: 'only checks',
    },
    {
      verbs: 'release',
      flags: '--snapshot --skip-publish --overwrite',
      level: 'low',
      back: 'yes',
      says: 'only builds',
    },
  ],
})

const PLATFORM = /^(?:ios|android|mac)$/

/** fastlane: lanes of the project's own, often behind a platform. */
export const assessFastlane: Assess = (facts) => {
  const [first, ...rest] = facts.part.args
  const args = first?.value != null && PLATFORM.test(first.value) ? rest : facts.part.args
  const lane = args[0]?.value ?? null
  return lane !== null && rateScriptName(lane) === 'high'
    ? publishes(facts.program, lane)
    : assessProjectVerbs({ ...facts, part: { ...facts.part, args } })
}
