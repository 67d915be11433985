import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix } from '../assessor/assessor.ts'
import { byRows } from '../assessor/verb-table.ts'
import { FOREIGN, fromElsewhere } from './project-tools.ts'
import { assessRunner, rateRun } from './runners.ts'

const rows = byRows({
  family: 'packages',
  otherwise: 'medium',
  bare: ['none', 'shows its help'],
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'list,show,freeze,check,index,index versions,search,help,debug,inspect,config list,config get,config debug,tree,version,info,' +
        'python list,python find,python dir,tool list,tool dir,env list,env info,env export,cache dir,cache info,cache list,about,pip list,pip show,' +
        'pip freeze,pip tree,pip check,graph,outdated,self show,self show plugins,env show,env find,source show,environment,doctor,' +
        'config --show,dep show,status,which,export,compare,notices,config show,self version,show-bases',
    ],
    [
      'low',
      'partly',
      'runs the project’s own code',
      'run,test,shell,fmt,format,build,script,activate,deactivate,python',
    ],
    [
      'low',
      'yes',
      'changes what can be made again',
      'lock,cache,cache clean,cache purge,cache prune,cache clear,cache remove,download,wheel,hash,venv,clean,generate-shell-completion,pip compile,compile,self check,env create',
    ],
    [
      'medium',
      'yes',
      'installs or changes packages',
      'install,uninstall,sync,add,remove,update,upgrade,init,new,pip,pip install,pip uninstall,pip sync,tool,tool install,tool uninstall,tool upgrade,' +
        'python install,python uninstall,python pin,ensurepath,inject,uninject,self,self update,self add,self install,env,env use,env remove,env prune,reinstall,' +
        'reinstall-all,upgrade-all,config,config set,config unset,config edit,create,clone,rename,pin,unpin,fix,import,plugin,use,init bash,use-python,toolchain,uninstall-all,dep,auth',
    ],
    [
      'medium',
      'yes',
      'changes the project’s version',
      'version patch,version minor,version major,version prerelease,version --bump,bump',
    ],
    ['high', 'no', 'publishes a package for everybody', 'publish,upload'],
    ['high', 'yes', 'changes where packages come from', 'source add,source remove'],
    ['high', 'no', 'removes environments with all that is in them', 'env remove --all'],
  ],
  valued:
    '-r --requirement -c --constraint -t --target --prefix --root -p --python -n --name -e --editable -G --group --extra --with --only -d --dest',
})

const INDEX =
  /^(?:--index-url|--extra-index-url|--find-links|--trusted-host|--index|--default-index|--pypi-url|-i)(?:=|$)/
const DANGEROUS_SETTING = /index|repositor|find-links|trusted|proxy|cert|pypi-token|http-basic|channel/i

/** pip, uv, poetry, pdm, pipenv, conda and their like. */
export const assessPythonPackages: Assess = (facts) => {
  const { part, program, verb } = facts
  const words =
    verb.kind === 'verb'
      ? [verb.verb, ...verb.rest.flatMap(({ value }) => (value?.startsWith('-') ? [] : [value ?? '?']))]
      : []
  const [first, second, third] = words
  const installs = /^(?:install|add|sync|download|wheel|pip|tool|inject|run|update)$/.test(first ?? '')
  if (installs && (anyPrefix(part, ...FOREIGN) || part.args.some(({ value }) => INDEX.test(value ?? ''))))
    return fromElsewhere(program)
  if (installs && part.args.some(({ value }) => /@ (?:https?|git\+)/.test(value ?? ''))) return fromElsewhere(program)
  if (
    first === 'config' &&
    (second === 'set' || (program === 'poetry' && third !== undefined) || anyFlag(part, '--add', '--prepend', '--set'))
  )
    return words.some((word) => DANGEROUS_SETTING.test(word)) && program !== 'conda' && program !== 'mamba'
      ? finding('high', 'packages.config', `${program} changes where packages come from or its credentials`, 'yes')
      : finding('medium', 'packages.config', `${program} changes its settings`, 'yes')
  if (program === 'uv' && first === 'tool' && second === 'run') return rateRun(third ?? null, 'uv tool run', true)
  if (program === 'pipx' && first === 'run')
    return assessRunner({ ...facts, part: { ...part, args: verb.kind === 'verb' ? verb.rest : [] } })
  if (program === 'uv' && first === 'run' && anyFlag(part, '--with'))
    return finding('medium', 'packages.install', 'uv installs packages and runs the project’s code with them', 'yes')
  return rows(facts)
}

/** twine: uploads, or only checks. */
export const assessTwine = byRows({
  family: 'packages',
  otherwise: 'high',
  rows: [
    ['none', 'yes', 'only checks', 'check,help'],
    ['high', 'no', 'publishes a package for everybody', 'upload,register'],
  ],
})
