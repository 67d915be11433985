import { wordSet } from '../../arguments/word-set.ts'

/** Parts of a script's or target's name by which it reaches beyond the machine or throws things away. */
const STRONG = wordSet(
  'deploy deploys deployment publish release destroy drop purge wipe nuke teardown rollback undeploy unpublish promote ' +
    'ship truncate reset uninstall gh-deploy submit reinstall-prod',
)
const PRODUCTION = wordSet('prod production live')
/** First parts that only build, run or check, whatever for. */
const QUIET = wordSet(
  'build test tests lint check dry preview plan validate verify start dev serve watch typecheck format fmt docs doc ' +
    'package bundle compile ci e2e unit coverage bench help list status show generate gen codegen install print types ' +
    'analyze audit info version config env setup bootstrap prepare storybook tsc run',
)
const CHANGES = wordSet('migrate migration seed upload sync push install setup upgrade bump tag version changelog')

/** The parts of `db:reset`, `deploy-prod` and `publishToMavenCentral`. */
function partsOf(name: string): readonly string[] {
  return name
    .slice(0, 120)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-:_./@]+/)
    .filter((part) => part !== '')
}

/** How bad a project's own script could be, by its name: the code is not shown. */
export function rateScriptName(name: string): 'low' | 'medium' | 'high' {
  const parts = partsOf(name)
  const [first = ''] = parts
  if (parts.includes('dry') || parts.includes('local') || parts.includes('snapshot')) return 'low'
  const quiet = QUIET.has(first)
  if (!quiet && parts.some((part) => STRONG.has(part) || PRODUCTION.has(part))) return 'high'
  if (quiet && parts.includes('deploy')) return 'medium'
  return parts.some((part) => CHANGES.has(part)) && !quiet ? 'medium' : 'low'
}
