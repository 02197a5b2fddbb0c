import { recipes } from '../../host/installation';
import { describeVersion } from './olderN8n';

describeVersion('2.41', recipes.current);
