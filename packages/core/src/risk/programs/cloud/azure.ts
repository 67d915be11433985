import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { verbRater } from '../assessor/verb-table.ts'
import { isCloudSecret, rateDestruction } from './operations.ts'

const az = verbRater({
  family: 'cloud',
  shape: 'compound',
  groups: true,
  as: 'az',
  valued:
    '-n --name -g --resource-group --account-name -s --source -d --destination --vault-name --ids -l --location --role --assignee --scope --settings --image --size --sku --template-file -f --parameters -p --container-name -c --file --vm-name --server --command-id --scripts',
  names: '-n --name -g --resource-group --account-name --vault-name',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'account show, account list, account list-locations, find, version, help, feedback, deployment group what-if, deployment sub what-if, deployment group validate, webapp log tail, monitor log-analytics query, graph query, rest --method get, aks browse, self-test, bicep build, acr check-health, interactive',
    ],
    [
      'low',
      'yes',
      'fetches or prepares something here',
      'aks get-credentials, acr login, extension add, extension update, bicep install, aks install-cli, upgrade, init',
    ],
    [
      'medium',
      'yes',
      'changes its own settings or signs in',
      'login, logout, account set, account clear, configure, config, config set, cloud set, cache purge, config unset, extension remove',
    ],
    [
      'medium',
      'partly',
      'copies to or from the cloud',
      'storage blob upload, storage blob download, storage blob upload-batch, storage blob download-batch, storage blob copy, storage copy, storage file upload, storage file download',
    ],
    [
      'high',
      'no',
      'prints a credential',
      'keyvault secret show, keyvault secret download, keyvault key download, account get-access-token, storage account keys list, storage account show-connection-string, cosmosdb keys list, acr credential show, redis list-keys, ad sp create-for-rbac, ad sp credential reset, webapp config appsettings list, functionapp keys list, aks get-credentials --admin, servicebus namespace authorization-rule keys list, webapp deployment list-publishing-profiles',
    ],
    [
      'high',
      'yes',
      'hands out rights',
      'role assignment create, role assignment delete, role definition create, keyvault set-policy, ad group member add, ad user create, storage container set-permission, network nsg rule create',
    ],
    [
      'high',
      'partly',
      'runs commands on machines',
      'vm run-command invoke, vmss run-command invoke, aks command invoke, webapp ssh, container exec, ssh vm',
      'one',
    ],
    [
      'critical',
      'no',
      'destroys for good',
      'group delete, keyvault purge, keyvault secret purge, keyvault key purge, keyvault delete, storage blob delete-batch, storage remove, storage account delete, storage container delete, storage share delete, sql db delete, sql server delete, cosmosdb delete, postgres server delete, postgres flexible-server delete, mysql flexible-server delete, aks delete, acr delete, account subscription cancel, backup vault delete, redis delete, snapshot delete, ad app delete',
      'all',
    ],
    [
      'high',
      'no',
      'deletes a machine, an app or one object',
      'vm delete, vmss delete, disk delete, webapp delete, functionapp delete, storage blob delete, keyvault secret delete, keyvault key delete, network dns record-set, acr repository delete',
    ],
    ['critical', 'no', 'spends money', 'reservations reservation-order purchase'],
  ],
  otherwise: 'high',
})

/** `az`: groups, then a verb. */
export const assessAz: Assess = (facts) => {
  const { finding: found, verb, reading } = az(facts)
  if (verb !== null || found.level === 'none') return found
  const words = reading.words.slice(0, 5).map(({ value }) => value?.toLowerCase() ?? '')
  if (words.some((word) => isCloudSecret(word, reading)))
    return finding('high', 'cloud.secret', 'az prints a secret', 'no')
  return rateDestruction('az', words.join(' '), found, reading)
}
