import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateShell } from '../../fixture.mts'
import { eachIsRated } from '../level-rows.mts'

describe('Kubernetes', () => {
  eachIsRated(
    'none',
    `kubectl -n prod get deploy,svc
    kubectl --context prod-eu get nodes
    kubectl get secrets
    kubectl get secret db -o name
    kubectl delete pod x --dry-run=client
    kubectl apply -f "$FILE" --dry-run=server
    kubectl rollout status deploy/api
    helm upgrade --install api ./chart --dry-run
    helm -n prod get values api
    kustomize build overlays/prod
    argocd app diff shop
    flux get kustomizations`,
  )
  eachIsRated(
    'low',
    `kubectl port-forward svc/api 8080:80
    kubectl exec -it api-7f -- ls /app
    helm repo update
    kind create cluster --name dev`,
  )
  eachIsRated('medium', `kubectl config use-context dev\nminikube delete`)
  eachIsRated(
    'high',
    `kubectl apply -f k8s/
    kubectl apply -f k8s/ --dry-run=none
    kubectl delete pod api-7f
    kubectl scale deploy/api --replicas=0
    kubectl get secret db -o yaml
    kubectl config view --raw
    kubectl drain node-1
    kubectl replace --force -f pod.yaml
    kubectl create clusterrolebinding x --clusterrole=cluster-admin --user=me
    helm -n prod uninstall api
    flux suspend kustomization apps
    argocd app sync shop`,
  )
  eachIsRated(
    'critical',
    `kubectl delete -n prod ns shop
    kubectl -nprod delete pvc data-pg-0
    kubectl delete pods --all
    kubectl delete deploy -A --all
    kubectl delete ns/shop
    kubectl delete crd certificates.cert-manager.io
    eksctl delete cluster --name prod
    velero backup delete nightly --confirm`,
  )

  it('names the deleted object, not its kind or namespace', () => {
    expect(rateShell('kubectl -n prod delete deployment api')).toMatchObject({
      target: 'api',
      magnitude: { reach: 'several' },
    })
    expect(rateShell('kubectl delete pods --all -n prod')).toMatchObject({
      target: 'prod',
      magnitude: { reach: 'all' },
      reversible: 'no',
    })
  })

  it('recognises scaling down to zero replicas', () => {
    expect(rateShell('kubectl scale deploy/api --replicas=0').magnitude.count).toBe(0)
  })

  it('takes the worse reading if an unknown option comes before the verb', () => {
    expect(rateShell('kubectl --novel get delete ns prod').level).toBe('critical')
    expect(rateShell('kubectl --env delete ns prod').level).toBe('critical')
    const option = fc.stringMatching(/^--[a-z]{3,12}$/).filter((name) => !/help|version|dry/.test(name))
    fc.assert(
      fc.property(option, fc.constantFrom('', 'get ', 'logs '), (name, value) => {
        expect(rateShell(`kubectl ${name} ${value}delete ns shop`).level).toBe('critical')
      }),
      { numRuns: 60 },
    )
  })
})
